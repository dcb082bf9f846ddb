/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/plan_roof.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/cells/beta.h"
#include "harness/plan/plan_rounds.h"

struct ranked {
    size_t index;
    double bandwidth;
};

static int faster_first(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->bandwidth, y = ((const struct ranked *)b)->bandwidth;
    return (x < y) - (x > y);
}

static size_t keep_fastest(const struct plan *plan, size_t *order, size_t count, size_t keep)
{
    struct ranked *ranked = calloc(count, sizeof *ranked);
    if (!ranked)
        return count;
    for (size_t i = 0; i < count; i++) {
        double bandwidth = beta_bandwidth(&plan->cells.cell[order[i]]).summary.median;
        ranked[i] = (struct ranked){order[i], bandwidth > 0 ? bandwidth : 0};
    }
    qsort(ranked, count, sizeof *ranked, faster_first);
    for (size_t i = 0; i < count; i++)
        order[i] = ranked[i].index;
    free(ranked);
    return count < keep ? count : keep;
}

/** The fastest finalists become the session's roof of this level and team size; order is fastest first. */
static void store_roof(struct session *session, const struct plan *plan, const size_t *order, size_t count)
{
    const struct cell *best = count ? &plan->cells.cell[order[0]] : NULL;
    if (!best || !(beta_bandwidth(best).summary.median > 0))
        return;
    struct session_roof roof = {
        .bytes_per_s = beta_bandwidth(best).summary.median,
        .bytes_per_cycle_per_core = beta_summary(best).summary.median,
    };
    for (size_t i = 0; i < count && roof.count < SESSION_ROOF_STREAMS; i++) {
        const struct cell *cell = &plan->cells.cell[order[i]];
        roof.streams[roof.count++] = beta_cell(cell)->stream;
    }
    session_set_roof(session, beta_cell(best)->level, best->threads, &roof);
}

static bool any_kept(const struct plan *plan, const size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (beta_bandwidth(&plan->cells.cell[order[i]]).summary.median > 0)
            return true;
    }
    return false;
}

int plan_find_roof(struct session *session, struct plan *plan, size_t first, size_t end,
                   const struct execution *execution, size_t *failed)
{
    enum { ROOF_TRIES = 8 };
    unsigned most = execution->roof_samples ? execution->roof_samples : 18;
    const struct {
        size_t keep;
        unsigned rounds, samples;
    } stage[] = {{SIZE_MAX, 1, most < 3 ? most : 3},
                 {24, 1, most < 5 ? most : 5},
                 {8, most < 3 ? 1 : 3, most < 3 ? most : most / 3}};

    size_t count = end - first;
    size_t *order = calloc(count + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        order[i] = first + i;
    int error = 0;
    for (size_t s = 0; !error && s < sizeof stage / sizeof *stage; s++) {
        count = keep_fastest(plan, order, count, stage[s].keep);
        for (unsigned round = 0; !error && round < stage[s].rounds; round++) {
            plan_shuffle(session, order, count);
            error =
                plan_visit_round(session, plan, order, count, stage[s].samples, execution,
                                 ((double)s + (double)round / stage[s].rounds) / 3, 1.0 / 3 / stage[s].rounds, failed);
        }
    }
    for (unsigned more = 0; !error && more < ROOF_TRIES && !any_kept(plan, order, count); more++) {
        plan_shuffle(session, order, count);
        error = plan_visit_round(session, plan, order, count, most < 3 ? most : 3, execution, 1, 0, failed);
    }
    count = keep_fastest(plan, order, count, SESSION_ROOF_STREAMS);
    store_roof(session, plan, order, count);
    free(order);
    return error;
}
