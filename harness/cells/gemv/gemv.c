/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV on a team, its weights cold or warm (harness/cells/cell/weights_read.h). The result of each visit is compared with
 * the scalar reference on the pool's own bytes before anything is timed.
 */
#include "harness/cells/gemv/gemv.h"

#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/roof_beside.h"
#include "harness/cells/cell/roof_near.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/gemv/gemv_record.h"
#include "harness/cells/gemv/gemv_tiers.h"

int gemv_add_prefetched(struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                        const unsigned *sizes, size_t teams)
{
    const struct product_settings settings = {
        .prefetch_given = true, .prefetch_bytes = kernel->prefetch_beside, .our_prefetch = true};
    for (size_t t = 0; kernel->prefetch_beside && t < teams; t++) {
        int error = product_add(cells, kernel, shape, PRODUCT_GEMV, sizes[t], true);
        if (error)
            return error;
        struct cell *cell = &cells->cell[cells->count - 1];
        gemv_cell(cell)->settings = settings;
        product_settings_name(&settings, cell);
    }
    return 0;
}

void gemv_settle(struct cells *cells)
{
    roof_beside_choose_all(cells, &cell_kind_gemv);
    roof_near_set(cells, &cell_kind_gemv);
}

/* ---- in a characterization ---- */

/** A paper that varies the threads says so where it times a shape. */
static const char over_threads[] = "over threads";

/** One kernel on one shape, as its tier wants it. */
static int plan_one(struct cells *cells, const struct planning *planning, const struct kernel *kernel, size_t shape,
                    enum gemv_tier tier)
{
    const struct shape *planned = &planning->shapes[shape];
    size_t first = cells->count;
    bool all_teams = tier != GEMV_PAPERS || strstr(planned->timed_by, over_threads);
    size_t narrowest = all_teams ? 0 : planning->teams - 1;
    int error = product_add_teams(cells, kernel, planned, PRODUCT_GEMV, planning->sizes + narrowest,
                                  planning->teams - narrowest, true, tier != GEMV_PAPERS);
    if (!error)
        error = gemv_add_prefetched(cells, kernel, planned, planning->sizes + narrowest, planning->teams - narrowest);
    for (size_t i = first; i < cells->count; i++) {
        struct product_cell *own = gemv_cell(&cells->cell[i]);
        snprintf(own->models, sizeof own->models, "%s", planning->models[shape]);
        snprintf(own->roles, sizeof own->roles, "%s", planning->roles[shape]);
    }
    return error;
}

/** The start of a call with each team, which every prediction has. */
static int plan_starts(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (size_t t = 0; !error && t < planning->teams; t++) {
        error = gemv_add_start(cells, planning->session, planning->sizes[t], true);
        if (!error)
            error = gemv_add_start(cells, planning->session, planning->sizes[t], false);
    }
    return error;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    int error = plan_starts(cells, planning);
    for (size_t i = 0; !error && i < GEMV_TIERS * planning->shape_count; i++) {
        enum gemv_tier tier = (enum gemv_tier)(i / planning->shape_count);
        size_t shape = i % planning->shape_count;
        for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
            if (gemv_tier_of(planning->session, *kernel, &planning->shapes[shape]) == tier)
                error = plan_one(cells, planning, *kernel, shape, tier);
        }
    }
    return error;
}

/* ---- in a comparison ---- */

static int offer(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct cell_options *options, char *why, size_t size)
{
    static const size_t tokens[] = {PRODUCT_GEMV};
    const struct kernel *of = kernel && kernel->gemv && !sequence ? kernel : NULL;
    return product_offer(cells, of, tokens, 1, options, why, size);
}

const struct cell_kind cell_kind_gemv = {
    PRODUCT_KIND_MEMBERS,
    .name = "gemv",
    .plan = plan,
    .offer = offer,
    .rank = 60,
    .value = gemv_value,
    .cost = gemv_cost,
    .of_use_together = gemv_of_use_together,
    .settle = gemv_settle,
    .record = gemv_record,
    .derived = gemv_omega_record,
};
