/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/topology/core_kinds.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/system/sysfs.h"

const char *core_kind_name(enum core_kind kind)
{
    static const char *const names[] = {"P", "E", "LP"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

/* Below this share of the strongest capacity of a tier a CPU is another design, not the same one at a lower clock. */
static const double tier_share = 0.8;

/* ---------------------------------------------------------------- PMUs */

/** "0-3,8": hwloc's parser aborts on anything else. */
static bool is_list(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && strspn(text, "0123456789,-") == length && isdigit((unsigned char)text[0]) &&
           isdigit((unsigned char)text[length - 1]);
}

static int read_cpus(const char *root, const char *pmu, hwloc_bitmap_t *cpus)
{
    char path[96], list[1024];
    *cpus = NULL;
    snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s/cpus", pmu);
    if (sysfs_read_text(root, path, list, sizeof list) != 0 || !is_list(list))
        return 0;
    *cpus = hwloc_bitmap_alloc();
    if (!*cpus)
        return -ENOMEM;
    if (hwloc_bitmap_list_sscanf(*cpus, list) != 0) {
        hwloc_bitmap_free(*cpus);
        *cpus = NULL;
    }
    return 0;
}

int pmu_cpus_read(const char *root, struct pmu_cpus *pmus)
{
    *pmus = (struct pmu_cpus){NULL, NULL, NULL};
    int error = read_cpus(root, "cpu_core", &pmus->core);
    if (error == 0)
        error = read_cpus(root, "cpu_atom", &pmus->atom);
    if (error == 0)
        error = read_cpus(root, "cpu_lowp", &pmus->low_power);
    if (error != 0)
        pmu_cpus_free(pmus);
    return error;
}

void pmu_cpus_free(struct pmu_cpus *pmus)
{
    hwloc_bitmap_free(pmus->core);
    hwloc_bitmap_free(pmus->atom);
    hwloc_bitmap_free(pmus->low_power);
    *pmus = (struct pmu_cpus){NULL, NULL, NULL};
}

static bool holds(hwloc_const_bitmap_t cpus, unsigned cpu)
{
    return cpus && hwloc_bitmap_isset(cpus, cpu);
}

/* ---------------------------------------------------------------- core type */

static bool is_atom(hwloc_topology_t topology, hwloc_obj_t pu, const struct pmu_cpus *pmus)
{
    if (pmus->core || pmus->atom || pmus->low_power)
        return holds(pmus->atom, pu->os_index) || holds(pmus->low_power, pu->os_index);
    int kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
    if (kind < 0)
        return false;
    unsigned count;
    struct hwloc_info_s *infos;
    if (hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, NULL, &count, &infos, 0) != 0)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(infos[i].name, "CoreType") == 0)
            return strcmp(infos[i].value, "IntelAtom") == 0;
    }
    return false;
}

hwloc_obj_t last_level_cache_of(hwloc_obj_t pu)
{
    hwloc_obj_t last = NULL;
    for (hwloc_obj_t above = pu->parent; above; above = above->parent) {
        if (hwloc_obj_type_is_dcache(above->type))
            last = above;
    }
    return last;
}

static bool has_l3(hwloc_obj_t pu)
{
    hwloc_obj_t cache = last_level_cache_of(pu);
    return cache && cache->attr->cache.depth >= 3;
}

/**
 * Meteor Lake and Arrow Lake H carry two efficiency cores on another die, without L3, beside those that share it: these
 * are another kind. Where no efficiency core has an L3 (Lunar Lake) there is only one kind of them.
 */
static bool some_atom_has_l3(hwloc_topology_t topology, const struct pmu_cpus *pmus)
{
    for (hwloc_obj_t pu = NULL; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu));) {
        if (is_atom(topology, pu, pmus) && has_l3(pu))
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------- capacity */

/** The kernel's capacity of a PU (the strongest has 1024), or 0 if not stated. */
static double capacity_of(hwloc_topology_t topology, hwloc_obj_t pu)
{
    int kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
    unsigned count;
    struct hwloc_info_s *infos;
    if (kind < 0 || hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, NULL, &count, &infos, 0) != 0)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(infos[i].name, "LinuxCapacity") == 0)
            return strtod(infos[i].value, NULL);
    }
    return 0;
}

/** The strongest capacity below a bound. */
static double strongest_below(hwloc_topology_t topology, double bound)
{
    double strongest = 0;
    for (hwloc_obj_t pu = NULL; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu));) {
        double capacity = capacity_of(topology, pu);
        if (capacity < bound && capacity > strongest)
            strongest = capacity;
    }
    return strongest;
}

static enum core_kind kind_by_capacity(hwloc_topology_t topology, hwloc_obj_t pu)
{
    double capacity = capacity_of(topology, pu);
    double tier = strongest_below(topology, 1e9);
    int kind = CORE_KIND_PERFORMANCE;
    while (capacity > 0 && capacity < tier_share * tier && kind < CORE_KIND_LOW_POWER) {
        tier = strongest_below(topology, tier_share * tier);
        kind++;
    }
    return (enum core_kind)kind;
}

/* ---------------------------------------------------------------- the decision */

/** Whether the PMUs or CoreType tell the CPUs apart or state that all are of one design; capacity is then not asked. */
static bool type_is_known(hwloc_topology_t topology, const struct pmu_cpus *pmus)
{
    if (pmus->core || pmus->atom || pmus->low_power)
        return true;
    for (int kind = 0; kind < hwloc_cpukinds_get_nr(topology, 0); kind++) {
        unsigned count;
        struct hwloc_info_s *infos;
        if (hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, NULL, &count, &infos, 0) != 0)
            continue;
        for (unsigned i = 0; i < count; i++) {
            if (strcmp(infos[i].name, "CoreType") == 0)
                return true;
        }
    }
    return false;
}

enum core_kind core_kind_of(hwloc_topology_t topology, hwloc_obj_t pu, const struct pmu_cpus *pmus)
{
    if (!type_is_known(topology, pmus))
        return kind_by_capacity(topology, pu);
    if (!is_atom(topology, pu, pmus))
        return CORE_KIND_PERFORMANCE;
    if (holds(pmus->low_power, pu->os_index))
        return CORE_KIND_LOW_POWER;
    bool apart = !has_l3(pu) && some_atom_has_l3(topology, pmus);
    return apart ? CORE_KIND_LOW_POWER : CORE_KIND_EFFICIENCY;
}
