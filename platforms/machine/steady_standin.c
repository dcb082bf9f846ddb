/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests: what differs from one time to the next on this machine stays the same.
 */
#include <stdlib.h>

#include "platforms/clock/clock.h"
#include "platforms/system/others.h"
#include "platforms/topology/topology.h"

/* No others are at work, or as many CPUs' worth as KNEEPOINT_OTHERS says, whatever else the machine does. */
double __wrap_others_cpus(const char *root, const struct others *begin);

double __wrap_others_cpus(const char *root, const struct others *begin)
{
    (void)root, (void)begin;
    const char *cpus = getenv("KNEEPOINT_OTHERS");
    return cpus ? strtod(cpus, NULL) : 0;
}

/* Without --seed the same is drawn each time, unless KNEEPOINT_CLOCK_SEED has the program take the clock's. */
uint64_t __real_seed_from_clock(void);
uint64_t __wrap_seed_from_clock(void);

uint64_t __wrap_seed_from_clock(void)
{
    return getenv("KNEEPOINT_CLOCK_SEED") ? __real_seed_from_clock() : 1;
}

/*
 * Tests run beside others: a team begins this many CPUs further as KNEEPOINT_TURN says, or all of them would take
 * their turns on the first CPU while the others idle.
 */
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
