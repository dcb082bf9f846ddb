/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Synchronisation: what meeting at the team's barrier costs, the term that a GEMV on threads adds to the model.
 */
#include <errno.h>
#include <stdlib.h>

#include "harness/cells/cell/cell.h"

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct session *session = ((void **)context)[0];
    const struct cell *cell = ((void **)context)[1];
    for (unsigned i = 0; i < cell->repeats; i++)
        team_barrier(session->team);
}

int measure_sync(struct session *session, struct cell *cell, unsigned count)
{
    struct team *team = session_team(session, cell->threads, cell->why, sizeof cell->why);
    if (!team)
        return -EINVAL;
    struct sample *samples = calloc(count, sizeof *samples);
    if (!samples)
        return -ENOMEM;
    void *context[] = {session, cell};
    struct sampler_work work = {.context = context, .region = cell->name, .run = run};
    int error = sampler_take(team, &session->instruments, &work, samples, count);
    if (!error)
        error = samples_append(&cell->samples, samples, count);
    free(samples);
    return error;
}
