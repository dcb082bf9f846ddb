/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "platforms/counters/pmu.h"
#include "platforms/counters/quantity.h"
#include "platforms/counters/system.h"

/**
 * What the kernel says about perf events, and what an errno of perf_event_open means in its light. Reading the facts
 * asks the machine; explaining is pure.
 */
struct perf_facts {
    unsigned cpu;
    bool sysfs_is_visible; /* event sources are shown: a missing PMU is really missing */
    bool has_pmu;          /* of this CPU's core */
    struct pmu pmu;
    unsigned core_pmus;  /* kinds of cores that have a PMU */
    char vendor[13];     /* "GenuineIntel"; "" without CPUID */
    char hypervisor[13]; /* "KVM"; "" on bare metal */
    bool has_paranoid;   /* false: the kernel was built without perf events, or /proc hides it */
    int paranoid;        /* kernel.perf_event_paranoid */
    bool privileged;     /* CAP_PERFMON or CAP_SYS_ADMIN */
    bool seccomp;        /* system calls are filtered */
    int rdpmc;           /* the PMU's rdpmc file; -1 if it has none */
    bool user_access; /* kernel.perf_user_access is 1, of aarch64 alone: else pages say that they may be read, and show no counter */
    bool nmi_watchdog;
};

/** Read them for one CPU (OS index); what cannot be read is as above where it is absent. Never fails. */
void perf_facts_read(const struct counters_system *system, unsigned cpu, struct perf_facts *facts);

/**
 * Whether the kernel shows that it drives no PMU on this CPU, and why: then no library counts through it, and none need be loaded to
 * find out. What opens the PMU without the kernel may count nevertheless.
 */
bool perf_has_no_pmu(const struct perf_facts *facts, struct counters_reason *reason);

/** Why opening an event of this CPU's core failed with errno (> 0). */
void perf_explain_core(const struct perf_facts *facts, enum counter_quantity quantity, int error,
                       struct counters_reason *reason);

/** Why opening an event of the whole machine (DRAM, energy) failed with errno (> 0). */
void perf_explain_machine(const struct perf_facts *facts, enum counter_quantity quantity, int error,
                          struct counters_reason *reason);

/** Why an event that opened never counts. */
void perf_explain_idle(const struct perf_facts *facts, enum counter_quantity quantity, struct counters_reason *reason);

/** Why rdpmc cannot be used, so that read() is. */
void perf_explain_read(const struct counters_system *system, const struct perf_facts *facts,
                       struct counters_reason *reason);
