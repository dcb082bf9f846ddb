/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/topology/core_kinds.h"
#include "platforms/topology/topology_testing.h"
#include "unit_test.h"

/** A folder with one file root/sys/bus/event_source/devices/<pmu>/cpus; NULL lists make no file. */
static void make_pmus(char *root, const char *core, const char *atom, const char *low_power)
{
    const char *const names[] = {"cpu_core", "cpu_atom", "cpu_lowp"}, *const lists[] = {core, atom, low_power};
    strcpy(root, "/tmp/kneepoint_pmu_XXXXXX");
    assert_non_null(mkdtemp(root));
    for (int i = 0; i < 3; i++) {
        char command[256];
        if (!lists[i])
            continue;
        snprintf(command, sizeof command, "d=%s/sys/bus/event_source/devices/%s && mkdir -p $d && echo '%s' >$d/cpus",
                 root, names[i], lists[i]);
        assert_int_equal(system(command), 0);
    }
}

static void remove_tree(const char *root)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

static enum core_kind kind_with(hwloc_topology_t topology, unsigned cpu, const char *core, const char *atom,
                                const char *low_power)
{
    char root[64];
    struct pmu_cpus pmus;
    make_pmus(root, core, atom, low_power);
    assert_int_equal(pmu_cpus_read(root, &pmus), 0);
    remove_tree(root);
    enum core_kind kind = core_kind_of(topology, hwloc_get_pu_obj_by_os_index(topology, cpu), &pmus);
    pmu_cpus_free(&pmus);
    return kind;
}

static hwloc_topology_t load_hwloc(const char *path)
{
    hwloc_topology_t topology;
    assert_int_equal(hwloc_topology_init(&topology), 0);
    assert_int_equal(hwloc_topology_set_xml(topology, path), 0);
    assert_int_equal(hwloc_topology_load(topology), 0);
    return topology;
}

TEST(the_pmus_overrule_hwloc)
{
    hwloc_topology_t lunar = load_hwloc(FIXTURES "lunar_lake_4p4e.xml");
    assert_int_equal(kind_with(lunar, 0, NULL, NULL, NULL), CORE_KIND_PERFORMANCE);
    assert_int_equal(kind_with(lunar, 4, NULL, NULL, NULL), CORE_KIND_EFFICIENCY);
    assert_int_equal(kind_with(lunar, 0, "4-7", "0-3", NULL), CORE_KIND_EFFICIENCY);
    assert_int_equal(kind_with(lunar, 4, "4-7", "0-3", NULL), CORE_KIND_PERFORMANCE);
    assert_int_equal(kind_with(lunar, 4, "0-3", NULL, "4-7"), CORE_KIND_LOW_POWER);
    assert_int_equal(kind_with(lunar, 4, "0-7", NULL, NULL), CORE_KIND_PERFORMANCE);
    hwloc_topology_destroy(lunar);
}

TEST(a_malformed_pmu_list_is_not_believed)
{
    hwloc_topology_t lunar = load_hwloc(FIXTURES "lunar_lake_4p4e.xml");
    assert_int_equal(kind_with(lunar, 4, "", "", NULL), CORE_KIND_EFFICIENCY);
    assert_int_equal(kind_with(lunar, 4, "junk", "0-3,", NULL), CORE_KIND_EFFICIENCY);
    hwloc_topology_destroy(lunar);
}

TEST(capacity_of_a_homogeneous_machine_says_nothing)
{
    hwloc_topology_t guest = load_hwloc(FIXTURES "guest_2_cores.xml");
    assert_int_equal(kind_with(guest, 1, NULL, NULL, NULL), CORE_KIND_PERFORMANCE);
    hwloc_topology_destroy(guest);
}

TEST(kinds_have_names)
{
    assert_string_equal(core_kind_name(CORE_KIND_PERFORMANCE), "P");
    assert_string_equal(core_kind_name(CORE_KIND_EFFICIENCY), "E");
    assert_string_equal(core_kind_name(CORE_KIND_LOW_POWER), "LP");
    assert_string_equal(core_kind_name((enum core_kind)3), "?");
}

RUN_TESTS(NULL, NULL)
