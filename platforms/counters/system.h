/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_event_attr;

/**
 * Everything the counter back ends ask of the machine, as one table, so that a test can be any machine.
 *
 * Every function takes the table's context first. Functions that can fail return a negative errno.
 */
struct counters_system {
    void *context;
    bool aarch64;     /* user access to counters is asked for through config1; generic cache events mean L1 */
    const char *root; /* above /sys and /proc; "" for the running system */
    const char *const *libraries; /* instead of those that a back end names, in order, NULL-terminated; NULL: those */
    unsigned child_limit_ms;      /* how long a probe in a child process may take before it is killed */

    int (*perf_event_open)(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group);
    void *(*map)(void *context, int fd, size_t bytes); /* read-only, shared; NULL if it cannot */
    void (*unmap)(void *context, void *address, size_t bytes);
    ssize_t (*read)(void *context, int fd, void *buffer, size_t bytes);
    void (*close)(void *context, int fd);

    uint64_t (*rdpmc)(void *context,
                      uint32_t counter); /* raw, not sign-extended; aarch64: PMEVCNTRn_EL0 or PMCCNTR_EL0 (31) */
    uint64_t (*rdtsc)(void *context);    /* ordered after earlier loads; aarch64: CNTVCT_EL0 */
    void (*cpuid)(void *context, uint32_t leaf, uint32_t subleaf,
                  uint32_t registers[4]); /* eax, ebx, ecx, edx; zeros on aarch64 */
    uint64_t (*monotonic_raw_ns)(void *context);
    void (*sleep_ns)(void *context, uint64_t ns);

    /**
     * Core clock of the calling thread's core from a dependent chain, in Hz. Takes microseconds.
     * NULL when the architecture has none. -ERANGE when its two chains disagree; why says so.
     */
    int (*chain_clock)(void *context, double *core_hz, char *why, size_t size);
};

/**
 * This machine. The chain clock belongs to platforms/clock/clock.h: the caller fills it in, with a context of its own if it
 * needs one (nothing else of this machine's table looks at the context).
 */
void counters_system_host(struct counters_system *system);
