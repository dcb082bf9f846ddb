/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <hwloc.h>

#include "platforms/topology/topology.h"

/**
 * Which kind each CPU is. The sources, in the order in which they are believed:
 *
 * 1. the `cpus` files of the core PMUs (cpu_core, cpu_atom, cpu_lowp): the kernel's own statement, and what the event
 * sets of the counters are bound to;
 * 2. the core type that hwloc has from CPUID or the kernel ("IntelCore", "IntelAtom");
 * 3. the capacity that the kernel schedules by (Arm's big.LITTLE): a CPU below 80% of the strongest of a tier opens the
 * next.
 *
 * Frequency never decides: favoured cores (Turbo Max 3.0, preferred cores) are hwloc kinds of their own, but the same
 * core.
 */

/** CPUs of each core PMU, NULL where there is no such PMU. */
struct pmu_cpus {
    hwloc_bitmap_t core, atom, low_power;
};

/** Read the PMUs' lists below a root ("" for the running system). @return 0 or -ENOMEM; release with pmu_cpus_free. */
int pmu_cpus_read(const char *root, struct pmu_cpus *pmus);
void pmu_cpus_free(struct pmu_cpus *pmus);

/** Kind of one PU; CORE_KIND_PERFORMANCE where nothing tells cores apart. */
enum core_kind core_kind_of(hwloc_topology_t topology, hwloc_obj_t pu, const struct pmu_cpus *pmus);

/** The highest data or unified cache above a PU, or NULL. */
hwloc_obj_t last_level_cache_of(hwloc_obj_t pu);
