/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdio.h>

#include "platforms/topology/topology.h"
#include "unit_test.h"

/** For tests of topologies: machines as hwloc recorded them. */

#define FIXTURES "platforms/fixtures/topology/"

enum { TEAM_CAPACITY = 128 };

/** That of the fixture's name; fails the test where it cannot be read. */
static inline struct topology *open_fixture(const char *name)
{
    char path[128], why[256];
    struct topology *topology;
    snprintf(path, sizeof path, FIXTURES "%s.xml", name);
    if (topology_open(path, &topology, why, sizeof why) != 0)
        fail_msg("%s: %s", path, why);
    return topology;
}
