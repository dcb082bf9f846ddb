/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On a recorded machine (platforms/machine/machine_standin.c) no thread works: no cores are timed for hidden siblings, and no team is made.
 */
#include "platforms/machine/machine_standin.h"

#include "harness/measure/hidden_siblings.h"
#include "harness/team/team.h"

int __real_hidden_siblings_join(struct topology *topology, const struct clock *clock, double issue_width, char *why,
                                size_t size);
int __wrap_hidden_siblings_join(struct topology *topology, const struct clock *clock, double issue_width, char *why,
                                size_t size);
int __real_team_create(const struct topology *topology, const unsigned *cpus, unsigned threads, struct team **result,
                       char *why, size_t size);
int __wrap_team_create(const struct topology *topology, const unsigned *cpus, unsigned threads, struct team **result,
                       char *why, size_t size);

int __wrap_hidden_siblings_join(struct topology *topology, const struct clock *clock, double issue_width, char *why,
                                size_t size)
{
    return machine_standin_folder() ? 0 : __real_hidden_siblings_join(topology, clock, issue_width, why, size);
}

int __wrap_team_create(const struct topology *topology, const unsigned *cpus, unsigned threads, struct team **result,
                       char *why, size_t size)
{
    int error = machine_standin_refuse(why, size);
    return error ? error : __real_team_create(topology, cpus, threads, result, why, size);
}
