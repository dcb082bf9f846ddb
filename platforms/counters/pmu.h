/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What sysfs says about performance monitoring units:
 * /sys/bus/event_source/devices/<pmu>/{type,cpus,cpumask,format,events}.
 *
 * root is what lies above /sys, "" for the running system. Errors: 0 or a negative errno.
 */

enum { PMU_NAME = 64 };

struct pmu {
    char name[PMU_NAME];
    uint32_t type; /* perf_event_attr.type */
};

/** An event of sysfs, encoded by the PMU's own format files. */
struct pmu_event {
    uint64_t config, config1, config2;
    double scale;  /* 1 if there is no .scale file */
    char unit[16]; /* "" if there is no .unit file */
};

/** Whether sysfs shows event sources at all (containers may hide them). */
bool pmu_sysfs_is_visible(const char *root);

/** Whether a CPU list such as "0-3,8" contains the CPU. false for a malformed list. */
bool cpu_list_contains(const char *list, unsigned cpu);

/** CPUs of a list in order. @return how many there are, of which at most capacity were stored; -EINVAL for a malformed
 * list */
int cpu_list_parse(const char *list, unsigned *cpus, size_t capacity);

/**
 * The PMU of the core that owns a CPU: "cpu", or "cpu_core", "cpu_atom", "armv8_cortex_a76"… by their cpus files.
 * @param core_pmus  how many core PMUs the machine has; above 1 the generic events need the extended type
 * @return           0, -ENOENT if no PMU counts on this CPU
 */
int pmu_of_core(const char *root, unsigned cpu, struct pmu *pmu, unsigned *core_pmus);

/** PMUs named `prefix` or `prefix_<number>`, by number. @return how many were stored, 0 if none */
size_t pmu_find(const char *root, const char *prefix, struct pmu *pmus, size_t capacity);

/** One CPU per package on which an uncore PMU is opened. @return how many, or -ENOENT, -EINVAL */
int pmu_cpumask(const char *root, const struct pmu *pmu, unsigned *cpus, size_t capacity);

/** Read events/<name> of a PMU. @return 0, -ENOENT if it has no such event, -EINVAL for terms that its format files do
 * not explain */
int pmu_event_read(const char *root, const struct pmu *pmu, const char *name, struct pmu_event *event);
