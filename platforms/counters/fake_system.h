/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <errno.h>
#include <ftw.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platforms/counters/system.h"
#include "unit_test.h"

/**
 * A machine for tests: a temporary folder holds its /sys and /proc, an array its perf events, and time goes on by a
 * fixed step with every look at the clock.
 */

enum { FAKE_EVENTS = 64, FAKE_FD = 1000 };

struct fake_event {
    struct perf_event_attr attr;
    int pid, cpu;
    bool open;
    struct perf_event_mmap_page page;
    uint64_t count, enabled_ns, running_ns; /* what read() returns */
};

struct fake_machine {
    char root[64];
    struct counters_system system;
    struct fake_event events[FAKE_EVENTS];
    int opened; /* events ever opened */
    int (*refuse)(const struct perf_event_attr *attr, int pid,
                  int cpu); /* errno to fail with, or 0; NULL: accept all */
    bool user_access;       /* the pages allow rdpmc */
    unsigned pmc_width;
    uint64_t pmc[FAKE_EVENTS]; /* raw hardware counters */
    uint64_t step;             /* added to a counter at every reading of it */
    uint64_t enabled_step, running_step;
    int lock_changes;  /* how many of the next rdpmc happen while the kernel changes the page */
    int rdpmcs, reads; /* how often each was called */
    uint64_t now_ns, now_step;
    uint64_t tsc, tsc_step;
    const char *vendor, *hypervisor; /* CPUID */
    bool invariant_tsc;
    double core_hz; /* of the chain clock */
};

static inline int fake_open(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
    struct fake_machine *machine = context;
    (void)group;
    int error = machine->refuse ? machine->refuse(attr, pid, cpu) : 0;
    if (error)
        return -error;
    assert_true(machine->opened < FAKE_EVENTS);
    int index = machine->opened++;
    struct fake_event *event = &machine->events[index];
    *event = (struct fake_event){.attr = *attr, .pid = pid, .cpu = cpu, .open = true};
    event->page.cap_user_rdpmc = machine->user_access;
    event->page.pmc_width = (uint16_t)machine->pmc_width;
    event->page.index = (uint32_t)index + 1;
    return FAKE_FD + index;
}

static inline void *fake_map(void *context, int fd, size_t bytes)
{
    struct fake_machine *machine = context;
    (void)bytes;
    return &machine->events[fd - FAKE_FD].page;
}

static inline void fake_unmap(void *context, void *address, size_t bytes)
{
    (void)context, (void)address, (void)bytes;
}

static inline ssize_t fake_read(void *context, int fd, void *buffer, size_t bytes)
{
    struct fake_machine *machine = context;
    struct fake_event *event = &machine->events[fd - FAKE_FD];
    machine->reads++;
    event->count += machine->step;
    event->enabled_ns += machine->enabled_step;
    event->running_ns += machine->running_step;
    uint64_t words[3] = {event->count, event->enabled_ns, event->running_ns};
    memcpy(buffer, words, bytes < sizeof words ? bytes : sizeof words);
    return (ssize_t)(bytes < sizeof words ? bytes : sizeof words);
}

static inline void fake_close(void *context, int fd)
{
    struct fake_machine *machine = context;
    assert_true(machine->events[fd - FAKE_FD].open);
    machine->events[fd - FAKE_FD].open = false;
}

static inline uint64_t fake_rdpmc(void *context, uint32_t counter)
{
    struct fake_machine *machine = context;
    assert_true(counter < FAKE_EVENTS);
    machine->rdpmcs++;
    if (machine->lock_changes > 0) {
        /* the kernel moves the event: what was read so far belongs to the past */
        machine->lock_changes--;
        machine->events[counter].page.lock += 2;
        machine->events[counter].page.offset += 1000;
    }
    machine->pmc[counter] += machine->step;
    return machine->pmc[counter];
}

static inline uint64_t fake_rdtsc(void *context)
{
    struct fake_machine *machine = context;
    return machine->tsc += machine->tsc_step;
}

static inline void fake_cpuid(void *context, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
    struct fake_machine *machine = context;
    (void)subleaf;
    memset(registers, 0, 4 * sizeof registers[0]);
    if (leaf == 0 && machine->vendor) {
        memcpy(&registers[1], machine->vendor, 4);
        memcpy(&registers[3], machine->vendor + 4, 4);
        memcpy(&registers[2], machine->vendor + 8, 4);
    }
    if (leaf == 1 && machine->hypervisor)
        registers[2] = 1u << 31;
    if (leaf == 0x40000000u && machine->hypervisor) {
        char signature[13] = "";
        snprintf(signature, sizeof signature, "%s", machine->hypervisor);
        memcpy(&registers[1], signature, 12);
    }
    if (leaf == 0x80000007u)
        registers[3] = machine->invariant_tsc ? 1u << 8 : 0;
}

static inline uint64_t fake_now(void *context)
{
    struct fake_machine *machine = context;
    return machine->now_ns += machine->now_step;
}

static inline void fake_sleep(void *context, uint64_t ns)
{
    struct fake_machine *machine = context;
    machine->now_ns += ns;
}

static inline int fake_chain(void *context, double *core_hz, char *why, size_t size)
{
    struct fake_machine *machine = context;
    *core_hz = machine->core_hz;
    if (*core_hz > 0)
        return 0;
    snprintf(why, size, "the two chains disagree by 3.0%%");
    return -ERANGE;
}

/* Write one file of the machine, folders included: fake_file(&machine, "sys/bus/…/type", "4"). */
static inline void fake_file(struct fake_machine *machine, const char *path, const char *content)
{
    char full[512];
    assert_true(snprintf(full, sizeof full, "%s/%s", machine->root, path) < (int)sizeof full);
    for (char *slash = full + strlen(machine->root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(full, 0755);
        *slash = '/';
    }
    FILE *file = fopen(full, "we");
    assert_non_null(file);
    fprintf(file, "%s\n", content);
    assert_int_equal(fclose(file), 0);
}

/* One file of one PMU: fake_pmu(&machine, "cpu_core", "cpus", "0-7"). */
static inline void fake_pmu(struct fake_machine *machine, const char *pmu, const char *file, const char *content)
{
    char path[256];
    snprintf(path, sizeof path, "sys/bus/event_source/devices/%s/%s", pmu, file);
    fake_file(machine, path, content);
}

static inline void fake_machine_open(struct fake_machine *machine)
{
    static const char *const none[] = {"/nonexistent/libnone.so", NULL};
    const char *folder = getenv("TMPDIR");
    memset(machine, 0, sizeof *machine);
    snprintf(machine->root, sizeof machine->root, "%.40s/countersXXXXXX", folder && *folder ? folder : "/tmp");
    assert_non_null(mkdtemp(machine->root));
    machine->user_access = true;
    machine->pmc_width = 48;
    machine->step = 100;
    machine->enabled_step = machine->running_step = 1000;
    machine->now_step = 1000;
    machine->tsc_step = 2000;
    machine->vendor = "GenuineIntel";
    machine->invariant_tsc = true;
    machine->core_hz = 3e9;
    machine->system = (struct counters_system){
        .context = machine,
        .root = machine->root,
        .libraries = none,
        .child_limit_ms = 200,
        .perf_event_open = fake_open,
        .map = fake_map,
        .unmap = fake_unmap,
        .read = fake_read,
        .close = fake_close,
        .rdpmc = fake_rdpmc,
        .rdtsc = fake_rdtsc,
        .cpuid = fake_cpuid,
        .monotonic_raw_ns = fake_now,
        .sleep_ns = fake_sleep,
        .chain_clock = fake_chain,
    };
    fake_file(machine, "proc/sys/kernel/perf_event_paranoid", "2");
    fake_file(machine, "proc/sys/kernel/nmi_watchdog", "0");
    fake_file(machine, "proc/self/status", "Name:\ttest\nCapEff:\t0000000000000000\nSeccomp:\t0");
}

static inline int fake_remove(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* Every event must have been closed. */
static inline void fake_machine_close(struct fake_machine *machine)
{
    for (int e = 0; e < machine->opened; e++)
        assert_false(machine->events[e].open);
    nftw(machine->root, fake_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* The PMU of a homogeneous x86. */
static inline void fake_cpu_pmu(struct fake_machine *machine)
{
    fake_pmu(machine, "software", "type", "1");
    fake_pmu(machine, "cpu", "type", "4");
    fake_pmu(machine, "cpu", "rdpmc", "1");
    fake_pmu(machine, "cpu", "format/event", "config:0-7");
    fake_pmu(machine, "cpu", "format/umask", "config:8-15");
    fake_pmu(machine, "cpu", "events/cpu-cycles", "event=0x3c");
}

/* Two channels on a machine with two sockets. */
static inline void fake_memory_controllers(struct fake_machine *machine)
{
    static const char *const pmus[] = {"uncore_imc_0", "uncore_imc_1"}, *const types[] = {"20", "21"};
    for (int p = 0; p < 2; p++) {
        fake_pmu(machine, pmus[p], "type", types[p]);
        fake_pmu(machine, pmus[p], "cpumask", "0,28");
        fake_pmu(machine, pmus[p], "format/event", "config:0-7");
        fake_pmu(machine, pmus[p], "format/umask", "config:8-15");
        fake_pmu(machine, pmus[p], "events/cas_count_read", "event=0x04,umask=0x03");
        fake_pmu(machine, pmus[p], "events/cas_count_read.scale", "6.103515625e-5");
        fake_pmu(machine, pmus[p], "events/cas_count_read.unit", "MiB");
    }
}

/* The energy of one package. */
static inline void fake_rapl(struct fake_machine *machine)
{
    fake_pmu(machine, "power", "type", "17");
    fake_pmu(machine, "power", "cpumask", "0");
    fake_pmu(machine, "power", "format/event", "config:0-7");
    fake_pmu(machine, "power", "events/energy-pkg", "event=0x02");
    fake_pmu(machine, "power", "events/energy-pkg.scale", "2.3283064365386962890625e-10");
    fake_pmu(machine, "power", "events/energy-pkg.unit", "Joules");
}

/* 8 performance and 16 efficiency cores. */
static inline void fake_hybrid_pmus(struct fake_machine *machine)
{
    fake_pmu(machine, "software", "type", "1");
    fake_pmu(machine, "cpu_core", "type", "4");
    fake_pmu(machine, "cpu_core", "cpus", "0-7");
    fake_pmu(machine, "cpu_core", "rdpmc", "1");
    fake_pmu(machine, "cpu_atom", "type", "10");
    fake_pmu(machine, "cpu_atom", "cpus", "8-23");
    fake_pmu(machine, "cpu_atom", "rdpmc", "1");
}

/* 4 small and 2 big Arm cores. */
static inline void fake_big_little_pmus(struct fake_machine *machine)
{
    static const char *const names[] = {"armv8_cortex_a55", "armv8_cortex_a76"};
    static const char *const cpus[] = {"0-3", "4-5"}, *const types[] = {"8", "9"};
    machine->system.aarch64 = true;
    machine->vendor = NULL;
    for (int p = 0; p < 2; p++) {
        fake_pmu(machine, names[p], "type", types[p]);
        fake_pmu(machine, names[p], "cpus", cpus[p]);
        fake_pmu(machine, names[p], "format/event", "config:0-15");
        fake_pmu(machine, names[p], "format/long", "config1:0");
        fake_pmu(machine, names[p], "events/cpu_cycles", "event=0x0011");
        fake_pmu(machine, names[p], "events/inst_retired", "event=0x0008");
    }
    fake_pmu(machine, names[1], "events/ll_cache_miss_rd", "event=0x0037");
    fake_file(machine, "proc/sys/kernel/perf_user_access", "1");
}

/** Around a test: its state is the machine. */
static inline int open_machine(void **state)
{
    static struct fake_machine machine;
    fake_machine_open(&machine);
    *state = &machine;
    return 0;
}

static inline int close_machine(void **state)
{
    fake_machine_close(*state);
    return 0;
}
