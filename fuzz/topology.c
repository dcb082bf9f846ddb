/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A recorded topology of hwloc, or a team of one: the first line is "team", a fixture's number and threads, the second a list of
 * CPUs, the third a kind of cores.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "platforms/topology.h"

enum { CPUS_MOST = 64 };

static void plan(const struct topology *topology, const struct team_request *request)
{
    unsigned cpus[CPUS_MOST];
    char why[256] = "", list[256];
    int count = topology_plan_team(topology, request, cpus, CPUS_MOST, why, sizeof why);
    hold(count != 0 && count <= CPUS_MOST);
    if (count < 0)
        hold_refusal(why);
    for (int i = 0; i < count; i++)
        hold(topology_core_of_cpu(topology, cpus[i]) != NULL);
    topology_allowed_list(topology, list, sizeof list);
}

static void use(const struct topology *topology)
{
    static const struct team_request all = {0}, doubled = {.use_smt = true};
    struct topology_cache caches[16];
    struct topology_node nodes[64];
    size_t count = topology_core_count(topology);
    const struct topology_core *cores = topology_cores(topology);
    hold(count > 0 && topology_caches(topology, caches, 16) <= 16 && topology_nodes(topology, nodes, 64) <= 64);
    for (size_t i = 0; i < count; i++) {
        hold(cores[i].llc < topology_llc_count(topology) && cores[i].sibling_cpus >= 1);
        (void)topology_sibling(topology, &cores[i], cores[i].sibling_cpus - 1);
        (void)topology_cache_share(topology, &cores[i].cpu, 1, 2);
    }
    plan(topology, &all);
    plan(topology, &doubled);
}

/** Teams of three lines. */
static void ask(char *text)
{
    static const char *const fixtures[] = {"arrow_lake_8p16e", "server_2s_smt", "arm_1_3_4", "guest_2_cores"};
    static struct topology *opened[4];
    unsigned number = 0, threads = 0;
    char path[128], why[256] = "", *cpus = strchr(text, '\n'), *kind = cpus ? strchr(cpus + 1, '\n') : NULL;
    if (!kind || sscanf(text, "team %u %u", &number, &threads) < 1)
        return;
    *cpus++ = *kind++ = '\0';
    kind[strcspn(kind, "\n")] = '\0';
    const char *root = getenv("KNEEPOINT_FUZZ_ROOT");
    snprintf(path, sizeof path, "%s/platforms/fixtures/topology/%s.xml", root ? root : ".", fixtures[number % 4]);
    if (!opened[number % 4])
        hold(topology_open(path, &opened[number % 4], why, sizeof why) == 0);
    plan(opened[number % 4], &(struct team_request){threads, *cpus ? cpus : NULL, *kind ? kind : NULL, number & 4});
}

FUZZ_TARGET(bytes, length)
{
    struct topology *topology;
    char why[256] = "", *text = fuzz_text(bytes, length);
    if (strncmp(text, "team ", 5) == 0) {
        ask(text);
    } else if (topology_open(fuzz_file(bytes, length), &topology, why, sizeof why)) {
        hold_refusal(why);
    } else {
        use(topology);
        topology_close(topology);
    }
    free(text);
}
