/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests that run beside others: a team begins this many CPUs further as KNEEPOINT_TURN says, or all of them would take
 * their turns on the first CPU while the others idle.
 */
#include <stdlib.h>

#include "platforms/topology/topology.h"

int __real_topology_plan_team(const struct topology *topology, const struct team_request *request, unsigned *cpus_out,
                              size_t capacity, char *why, size_t size);
int __wrap_topology_plan_team(const struct topology *topology, const struct team_request *request, unsigned *cpus_out,
                              size_t capacity, char *why, size_t size);

enum { CPUS_MOST = 1024 };

int __wrap_topology_plan_team(const struct topology *topology, const struct team_request *request, unsigned *cpus_out,
                              size_t capacity, char *why, size_t size)
{
    int threads = __real_topology_plan_team(topology, request, cpus_out, capacity, why, size);
    const char *turn = getenv("KNEEPOINT_TURN");
    if (threads <= 0 || request->cpus || !turn || !topology_is_this_machine(topology))
        return threads;
    struct team_request every = *request;
    unsigned cpus[CPUS_MOST];
    char ignored[160];
    every.threads = 0;
    int all = __real_topology_plan_team(topology, &every, cpus, CPUS_MOST, ignored, sizeof ignored);
    for (int i = 0; i < threads && all >= threads; i++)
        cpus_out[i] = cpus[((unsigned)i + strtoul(turn, NULL, 10)) % (unsigned)all];
    return threads;
}
