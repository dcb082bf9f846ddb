/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Facts about the running system that a reader needs to judge a number: read from /proc and /sys below a root that
 * tests can move, never changed. A fact that cannot be read is an empty string or -1, never a guess.
 */
struct host_facts {
    char hostname[64];
    char cpu_model[96]; /* /proc/cpuinfo model name */
    char microcode[24];
    char kernel[128];                 /* uname release and version */
    char distribution[96];            /* PRETTY_NAME */
    char emulator[32];                /* by a word of the kernel's command line (emulator.h), "" without it */
    char hypervisor[96];              /* DMI product/vendor or the CPUID signature; "" on bare metal */
    char governor[32];                /* of the first allowed CPU, "" when cpufreq is absent */
    int turbo;                        /* 1 on, 0 off, -1 unknown */
    char turbo_control[64];           /* file that switches it, below the root; "" none */
    int smt;                          /* 1 active, 0 not, -1 unknown */
    char thp_enabled[24];             /* "madvise", "always", "never", "" */
    long hugetlb_total, hugetlb_free; /* default-size pages reserved, -1 unknown */
    long hugepage_bytes;
    int numa_balancing;      /* 1/0/-1 */
    char isolated_cpus[64];  /* "" none */
    bool isolated_known;     /* false: /sys does not say */
    int nmi_watchdog;        /* 1/0/-1 */
    int perf_event_paranoid; /* -9 unknown */
    char clocksource[24];    /* "tsc", "kvm-clock", ... */
    bool tsc_given_up;       /* the kernel lists its clock sources, and the time-stamp counter is not among them */
    double cpu_quota_cores;  /* CPU time the cgroup grants, in cores; -1 unlimited */
    uint64_t memory_total_bytes;
    uint64_t memory_limit_bytes; /* smallest limit of the cgroups above this process; 0 none */
};

/** Fill facts, reading below root ("" for the running system; a test passes a directory that holds proc/ and sys/). */
void host_facts_read(const char *root, struct host_facts *facts);

/**
 * Bytes that this process may still allocate without swapping: the least of MemAvailable and, for its cgroup (v1 or v2)
 * and each one above, limit minus usage (file cache that the kernel can drop is not usage). UINT64_MAX if unknown: 0 is a group that is full.
 */
uint64_t host_memory_available(const char *root);

/** Counters that show disturbance around a cell; differences are what matters. */
struct host_disturbance {
    uint64_t steal_ticks;      /* /proc/stat steal, USER_HZ, all CPUs */
    uint64_t interrupts;       /* /proc/stat intr, first field */
    uint64_t context_switches; /* /proc/stat ctxt */
};

/** Time of one CPU since it was started, in ticks of USER_HZ. */
struct host_cpu_time {
    uint64_t worked, idle; /* waiting for disks is idle; stolen time is neither */
};

/** In place of a CPU's number: all of them together. */
#define HOST_ALL_CPUS UINT_MAX

/** Of a CPU by its number. @return 0, or a negative errno: -ENODATA without such a line, -EINVAL without these numbers */
int host_cpu_time_read(const char *root, unsigned cpu, struct host_cpu_time *time);

/** @return 0, or a negative errno (-ENODATA, -EINVAL for a /proc/stat without these numbers); counts is then zero. */
int host_disturbance_read(const char *root, struct host_disturbance *counts);
