/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemv/gemv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/shared_product.h"
#include "harness/cells/product/team_balance.h"
#include "harness/measure/session_pool.h"

/** A GEMV with its pool and team, of a cell of its own. */
static int find(struct session *session, struct cell *cell, struct product_schedule *schedule)
{
    struct gemv gemv;
    const struct schedule equal = {.kind = SCHEDULE_STATIC};
    size_t m = gemv_cell(cell)->m, k = gemv_cell(cell)->k, granule = 0;
    size_t share = gemv_largest_share(cell->kernel, m, k, cell->threads, &equal);
    size_t cold = session_cold_bytes(session, cell->threads);
    int error = gemv_prepare(&gemv, cell->kernel, m, k, cell->threads, session_random(session));
    if (error)
        return error;
    for (unsigned t = 0; t < cell->threads; t++)
        gemv_emulate_speed(&gemv, t, schedule->speed[t]);
    error = session_pool(session, cell->threads, share > cold ? share : cold, cell->why, sizeof cell->why);
    if (!error)
        granule = session_pool_fill(session, cell->threads, cell->kernel->format, k,
                                    (struct session_pool_need){share, cell->cold});
    if (!error && !(granule && session_team(session, cell->threads, cell->why, sizeof cell->why)))
        error = -EINVAL;
    const struct shared_product product = {.gemv = &gemv, .k = gemv.k};
    if (!error)
        error = team_balance_measure(session, cell, gemv_cell(cell)->schedule, &product, granule);
    if (!error) {
        product_schedule_set_weights(schedule, gemv_cell(cell)->schedule->weight);
        schedule->weights_n = gemv_cell(cell)->schedule->weights_n;
    }
    gemv_release(&gemv);
    return error;
}

int gemv_weights_find(struct session *session, const struct kernel *kernel, const struct shape *shape,
                      struct product_schedule *schedule, char *why, size_t size)
{
    struct cells one = {0};
    const struct product_schedule_request request = {.kind = SCHEDULE_WEIGHTED, .speeds = schedule->speed};
    int error = product_add_scheduled(&one, kernel, shape, PRODUCT_GEMV, schedule->members, true, &request);
    if (!error) {
        one.cell[0].repeats = 1;
        error = find(session, &one.cell[0], schedule);
    }
    snprintf(why, size, "%s", one.count && one.cell[0].why[0] ? one.cell[0].why : error ? strerror(-error) : "");
    cells_release(&one);
    return error;
}
