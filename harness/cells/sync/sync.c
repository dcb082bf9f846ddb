/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Synchronisation: what meeting at the team's barrier costs, the term that a GEMV on threads adds to the model.
 */
#include "harness/cells/sync/sync.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"

int sync_add(struct cells *cells, unsigned threads)
{
    struct cell *cell = cells_add(cells, &cell_kind_sync);
    if (!cell)
        return -ENOMEM;
    cell->threads = threads;
    cell->repeats = 100;
    snprintf(cell->name, sizeof cell->name, "sync/barrier/t%u", threads);
    return 0;
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct session *session = ((void **)context)[0];
    const struct cell *cell = ((void **)context)[1];
    for (unsigned i = 0; i < cell->repeats; i++)
        team_barrier(session->team);
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    if (!session_team(session, cell->threads, cell->why, sizeof cell->why))
        return -EINVAL;
    void *context[] = {session, cell};
    struct sampler_work work = {.context = context, .region = cell->name, .run = run};
    return cell_take(session, cell, &work, count);
}

double sync_time(const struct cells *cells, unsigned threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->kind == &cell_kind_sync && cell->threads == threads && cell->samples.count)
            return summary_stated(summary_time(cell));
    }
    return threads == 1 ? 0 : NAN;
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session, (void)cells;
    json_t *record = json_pack("{s:s, s:s, s:i}", "type", "sync", "name", "barrier", "threads", (int)cell->threads);
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    field_set_proof(record, cell);
    return record;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (size_t t = 0; !error && t < planning->teams; t++)
        error = sync_add(cells, planning->sizes[t]);
    return error;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning, (void)cell;
    return CELL_ROOFS;
}

const struct cell_kind cell_kind_sync = {
    .name = "sync",
    .plan = plan,
    .visit = visit,
    .rank = 10,
    .value = value,
    .record = record_of,
};
