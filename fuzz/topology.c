/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A team as it is asked for: the first line is a recorded machine's number and threads, the second a list of CPUs, the third a kind
 * of cores, the fourth two CPUs that are hardware threads of one core. hwloc alone reads recorded machines, which only tests have.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "platforms/topology/topology.h"

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

/** What holds of any machine. */
static void use(const struct topology *topology)
{
    struct topology_cache caches[16];
    struct topology_node nodes[64];
    size_t count = topology_core_count(topology);
    const struct topology_core *cores = topology_cores(topology);
    hold(count > 0 && topology_caches(topology, caches, 16) <= 16 && topology_nodes(topology, nodes, 64) <= 64);
    for (size_t i = 0; i < count; i++) {
        hold(cores[i].llc < topology_llc_count(topology) && cores[i].sibling_cpus >= 1);
        (void)topology_sibling(topology, &cores[i], cores[i].sibling_cpus - 1);
        uint64_t share;
        hold(topology_cache_share(topology, &cores[i].cpu, 1, 2, &share) == 0);
    }
}

static struct topology *machine(unsigned number)
{
    static const char *const fixtures[] = {"arrow_lake_8p16e", "server_2s_smt", "arm_1_3_4", "guest_2_cores"};
    const char *root = getenv("KNEEPOINT_FUZZ_ROOT");
    struct topology *topology;
    char path[256], why[256];
    snprintf(path, sizeof path, "%s/platforms/fixtures/topology/%s.xml", root ? root : ".", fixtures[number % 4]);
    hold(topology_open(path, &topology, why, sizeof why) == 0);
    return topology;
}

/** The next line of a text; "" after the last. */
static char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    *text = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

FUZZ_TARGET(bytes, length)
{
    static struct topology *shared[4]; /* those without joined cores are opened once */
    unsigned number = 0, threads = 0, one, other;
    char *text = fuzz_text(bytes, length), *at = text;
    if (sscanf(next_line(&at), "%u %u", &number, &threads) >= 1) {
        const char *cpus = next_line(&at), *kind = next_line(&at);
        bool joins = sscanf(at, "%u %u", &one, &other) == 2;
        struct topology **place = &shared[number % 4], *topology = joins || !*place ? machine(number) : *place;
        if (joins)
            (void)topology_join_cores(topology, one, other);
        else
            *place = topology;
        use(topology);
        plan(topology, &(struct team_request){threads, *cpus ? cpus : NULL, *kind ? kind : NULL, number & 4});
        if (joins)
            topology_close(topology);
    }
    free(text);
}
