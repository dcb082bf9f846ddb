/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/system.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int host_perf_event_open(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
    (void)context;
    long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}

static void *host_map(void *context, int fd, size_t bytes)
{
    (void)context;
    void *address = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    return address == MAP_FAILED ? NULL : address;
}

static void host_unmap(void *context, void *address, size_t bytes)
{
    (void)context;
    munmap(address, bytes);
}

static ssize_t host_read(void *context, int fd, void *buffer, size_t bytes)
{
    (void)context;
    ssize_t got = read(fd, buffer, bytes);
    return got < 0 ? -errno : got;
}

static void host_close(void *context, int fd)
{
    (void)context;
    close(fd);
}

#if defined(__x86_64__)

#define IS_AARCH64 false

#include <cpuid.h>

static uint64_t host_rdpmc(void *context, uint32_t counter)
{
    (void)context;
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
    return (uint64_t)high << 32 | low;
}

static uint64_t host_rdtsc(void *context)
{
    (void)context;
    return __builtin_ia32_rdtsc();
}

static void host_cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
    (void)context;
    memset(registers, 0, 4 * sizeof registers[0]);
    if ((uint32_t)__get_cpuid_max(leaf & 0x80000000u, NULL) >= leaf || (leaf & 0xf0000000u) == 0x40000000u)
        __cpuid_count(leaf, subleaf, registers[0], registers[1], registers[2], registers[3]);
}

#elif defined(__aarch64__)

#define IS_AARCH64 true

/* The counter is part of the register's name, hence one case a counter. */
#define READ_EVENT_COUNTER(n)                                                                                          \
    case n:                                                                                                            \
        __asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value));                                                  \
        break;

static uint64_t host_rdpmc(void *context, uint32_t counter)
{
    (void)context;
    uint64_t value = 0;
    switch (counter) {
        READ_EVENT_COUNTER(0)
        READ_EVENT_COUNTER(1)
        READ_EVENT_COUNTER(2)
        READ_EVENT_COUNTER(3)
        READ_EVENT_COUNTER(4)
        READ_EVENT_COUNTER(5)
        READ_EVENT_COUNTER(6)
        READ_EVENT_COUNTER(7)
        READ_EVENT_COUNTER(8)
        READ_EVENT_COUNTER(9)
        READ_EVENT_COUNTER(10)
        READ_EVENT_COUNTER(11)
        READ_EVENT_COUNTER(12)
        READ_EVENT_COUNTER(13)
        READ_EVENT_COUNTER(14)
        READ_EVENT_COUNTER(15)
        READ_EVENT_COUNTER(16)
        READ_EVENT_COUNTER(17)
        READ_EVENT_COUNTER(18)
        READ_EVENT_COUNTER(19)
        READ_EVENT_COUNTER(20)
        READ_EVENT_COUNTER(21)
        READ_EVENT_COUNTER(22)
        READ_EVENT_COUNTER(23)
        READ_EVENT_COUNTER(24)
        READ_EVENT_COUNTER(25)
        READ_EVENT_COUNTER(26)
        READ_EVENT_COUNTER(27)
        READ_EVENT_COUNTER(28)
        READ_EVENT_COUNTER(29)
        READ_EVENT_COUNTER(30)
    case 31: __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value)); break;
    default: break;
    }
    return value;
}

static uint64_t host_rdtsc(void *context)
{
    (void)context;
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

static void host_cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
    (void)context, (void)leaf, (void)subleaf;
    memset(registers, 0, 4 * sizeof registers[0]);
}

#else
#error "counters: no cycle counter is known for this architecture; add its rdpmc and rdtsc here"
#endif

static uint64_t host_monotonic_raw_ns(void *context)
{
    (void)context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void host_sleep_ns(void *context, uint64_t ns)
{
    (void)context;
    struct timespec left = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

void counters_system_host(struct counters_system *system)
{
    *system = (struct counters_system){
        .aarch64 = IS_AARCH64,
        .root = "",
        .child_limit_ms = 700,
        .perf_event_open = host_perf_event_open,
        .map = host_map,
        .unmap = host_unmap,
        .read = host_read,
        .close = host_close,
        .rdpmc = host_rdpmc,
        .rdtsc = host_rdtsc,
        .cpuid = host_cpuid,
        .monotonic_raw_ns = host_monotonic_raw_ns,
        .sleep_ns = host_sleep_ns,
    };
}
