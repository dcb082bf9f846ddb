/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On a recorded machine (platforms/machine/machine_standin.c) nothing runs: no cores are timed for hidden siblings, no team is made, no plug-in
 * is loaded and no sequence of a user is checked, since their code would run on this machine, and no cell is measured.
 */
#include "harness/measure/hidden_siblings.h"
#include "harness/plan/protocol.h"
#include "harness/plugin/plugins.h"
#include "harness/team/team.h"
#include "harness/user/user_sequences.h"
#include "platforms/machine/machine_standin.h"

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

int __real_plugins_add(struct plugins *plugins, const struct plugins_request *request, isa_features features, char *why,
                       size_t size);
int __wrap_plugins_add(struct plugins *plugins, const struct plugins_request *request, isa_features features, char *why,
                       size_t size);

int __wrap_plugins_add(struct plugins *plugins, const struct plugins_request *request, isa_features features, char *why,
                       size_t size)
{
    int error = request->count ? machine_standin_refuse(why, size) : 0;
    return error ? error : __real_plugins_add(plugins, request, features, why, size);
}

int __real_user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed,
                               const volatile int *stop, char *why, size_t size);
int __wrap_user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed,
                               const volatile int *stop, char *why, size_t size);

int __wrap_user_sequences_open(struct user_sequences *sequences, char **arguments, int count, uint64_t seed,
                               const volatile int *stop, char *why, size_t size)
{
    sequences->directory[0] = '\0';
    int error = machine_standin_refuse(why, size);
    return error ? error : __real_user_sequences_open(sequences, arguments, count, seed, stop, why, size);
}

/* Also where cells that fail are left out. */
int __real_protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                            const struct effort *effort, const struct execution *execution, size_t *failed);
int __wrap_protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                            const struct effort *effort, const struct execution *execution, size_t *failed);

int __wrap_protocol_measure(struct session *session, struct cells *cells, size_t first, size_t end,
                            const struct effort *effort, const struct execution *execution, size_t *failed)
{
    int error = first < end ? machine_standin_refuse(cells->cell[first].why, sizeof cells->cell[first].why) : 0;
    if (error)
        *failed = first;
    return error ? error : __real_protocol_measure(session, cells, first, end, effort, execution, failed);
}
