/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV on a team, its weights cold or warm (harness/cells/cell/weights_read.h). The result of each visit is compared with
 * the scalar reference on the pool's own bytes before anything is timed.
 */
#include "harness/cells/gemv/gemv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/cells/product/product_summary.h"
#include "harness/measure/session_pool.h"
#include "reports/select/machines/recommended.h"

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

/**
 * A run reads one stream beside the cold cells of a team. Where there are several, since an earlier version let three
 * take turns or a process had to choose anew, the one with the highest median over all cells of this team size becomes
 * the roof of each (harness/cells/cell/roof_paired.h). Call it before the quantities of product_summary.h.
 */
static void settle(struct cells *cells)
{
    roof_paired_choose_all(cells, &cell_kind_gemv);
    roof_local_set(cells, &cell_kind_gemv);
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

/** Tier by tier, so that each shape of a tier has all its kernels before the next; a kernel's tier on a shape is looked for once. */
static int plan(struct cells *cells, const struct planning *planning)
{
    const struct kernel *const *kernels = kernel_all();
    size_t count = 0;
    while (kernels[count])
        count++;
    size_t products = planning->shape_count * count;
    enum gemv_tier *tiers = calloc(products + 1, sizeof *tiers);
    int error = tiers ? plan_starts(cells, planning) : -ENOMEM;
    for (size_t i = 0; !error && i < products; i++)
        tiers[i] = gemv_tier_of(planning->session, kernels[i % count], &planning->shapes[i / count]);
    for (size_t tier = 0; !error && tier < GEMV_TIERS; tier++) {
        for (size_t i = 0; !error && i < products; i++) {
            if (tiers[i] == (enum gemv_tier)tier)
                error = plan_one(cells, planning, kernels[i % count], i / count, tiers[i]);
        }
    }
    free(tiers);
    return error;
}

/* ---- what a cell is worth ---- */

/** Whether a name is one of a list with commas between. */
static bool is_among(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length) {
        if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length]))
            return true;
    }
    return false;
}

/** A larger matrix takes seconds and says little that a smaller one does not. */
enum { MODEL_BYTES_MOST = 256 << 20 };

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    const struct product_cell *own = gemv_cell(cell);
    bool one = cell->threads == planning->sizes[0], widest = cell->threads == planning->sizes[planning->teams - 1];
    bool is_reference = own->m == PRODUCT_REFERENCE_SIDE && own->k == PRODUCT_REFERENCE_SIDE;
    bool is_main = gemv_is_main(planning->session, cell->kernel);
    if (gemv_is_start(planning->session, cell))
        return one || widest ? CELL_CALIBRATION : CELL_KERNELS;
    if (is_reference && !cell->cold)
        return is_main && (one || widest) ? CELL_WARM : CELL_BREADTH;
    if (is_reference && is_main)
        return one ? CELL_CALIBRATION : widest ? CELL_REFERENCE : CELL_KERNELS;
    if (is_reference)
        return one || widest ? CELL_KERNELS : CELL_BREADTH;
    if (!cell->cold || product_packed_bytes(cell) > MODEL_BYTES_MOST)
        return CELL_BREADTH;
    bool is_layer = is_among(own->models, RECOMMENDED_MODEL) && !is_among(own->roles, "lm_head");
    return widest && is_main && is_layer && kernel_is_for_models(cell->kernel) ? CELL_MODELS : CELL_PAPERS;
}

static bool of_use_together(const struct cell *cell)
{
    return cell->value == CELL_MODELS; /* tokens per second are of all matrices of a layer */
}

/* ---- what it takes ---- */

/** Where the machine is not known yet: output vectors a second of a core. */
static const double SLOW_VECTORS = 1.2e9;

/** To write a byte for the first time. Seconds. */
static const double FIRST_WRITE_S = 1e-9;

/** To multiply a weight as the scalar reference does, s; weights that are compared, see gemv_verify. */
static const double REFERENCE_S = 2e-9;
enum { COMPARED_WEIGHTS = 1 << 20, COMPARED_ROWS = 110 };

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    const struct product_cell *own = gemv_cell(cell);
    double bytes = product_packed_bytes(cell), weights = (double)own->m * (double)own->k;
    double pool = cell->cold ? (double)session_cold_bytes(session, cell->threads) * cell->threads : bytes;
    double computing_s = weights / 32 / SLOW_VECTORS / cell->threads;
    struct cell_cost takes = product_cost(session, cell, fmax(product_cost_reading(cell), computing_s));
    takes.bytes = 2000;
    if (bytes > pool)
        takes.once_s = FIRST_WRITE_S * (bytes - pool);
    takes.visit_s += REFERENCE_S * fmin(weights, fmax(COMPARED_ROWS * (double)own->k, COMPARED_WEIGHTS));
    return takes;
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
    .value = value,
    .cost = cost,
    .of_use_together = of_use_together,
    .settle = settle,
    .record = gemv_record,
    .derived = gemv_omega_record,
};
