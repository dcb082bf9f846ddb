/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On a recorded machine (platforms/machine/machine_standin.c) nothing runs: no cores are timed for hidden siblings, no team is made, no plug-in
 * is loaded and no sequence of a user is checked, since their code would run on this machine, and no cell is measured.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "harness/cells/cell/rounds.h"
#include "harness/check/items/certificate.h"
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

/*
 * For tests of the command line: of the certificates of our kernels, each of which certificate_test makes as well, one in
 * eight is made and the others are as they should be. On a recorded machine (platforms/machine/machine_standin.h) none is made, since this one
 * may lack what the kernel needs.
 */
int __real_certificate_make_apart(const struct kernel *kernel, enum certificate_product product,
                                  struct certificate *certificate);
int __wrap_certificate_make_apart(const struct kernel *kernel, enum certificate_product product,
                                  struct certificate *certificate);

enum { ONE_IN = 8 };

int __wrap_certificate_make_apart(const struct kernel *kernel, enum certificate_product product,
                                  struct certificate *certificate)
{
    static atomic_uint asked;
    if (!machine_standin_folder() && atomic_fetch_add(&asked, 1) % ONE_IN == 0)
        return __real_certificate_make_apart(kernel, product, certificate);
    *certificate = (struct certificate){.verdict = CERTIFICATE_EXACT};
    for (int pattern = 0; pattern < CERTIFICATE_LEAST; pattern++)
        certificate->line[pattern] = (struct certificate_line){.verdict = CERTIFICATE_EXACT, .rows = 1, .k_most = 1};
    return 0;
}

/* For tests of what code does in this many iterations: KNEEPOINT_ITERATIONS of a sample, on a machine of any speed. */
uint64_t __real_sample_iterations(double cycles);
uint64_t __wrap_sample_iterations(double cycles);

uint64_t __wrap_sample_iterations(double cycles)
{
    const char *given = getenv("KNEEPOINT_ITERATIONS");
    return given ? strtoul(given, NULL, 10) : __real_sample_iterations(cycles);
}
