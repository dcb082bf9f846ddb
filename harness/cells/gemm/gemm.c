/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on a team: N tokens times a packed matrix, its weights cold or warm (harness/cells/cell/weights_read.h). The
 * activations are prepared before anything is timed; what that takes is a cell of kind `prepare`. The result of each visit
 * is compared with the scalar reference, on the pool's own bytes, before anything is timed.
 */
#include <math.h>

#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/gemm/gemm_model.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/cells/product/product_cells.h"

/* ---- in a characterization ---- */

/** Where memory binds, where the unpacking is shared by more and more tokens, and where multiplying alone is left. */
static const size_t planned_tokens[] = {1, 4, 16, 64, 512};
enum { PLANNED_TOKENS = sizeof planned_tokens / sizeof *planned_tokens };

static int plan(struct cells *cells, const struct planning *planning)
{
    const struct shape reference = {.m = PRODUCT_REFERENCE_SIDE, .k = PRODUCT_REFERENCE_SIDE, .count = 1};
    const unsigned widest = planning->sizes[planning->teams - 1];
    int error = 0;
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
        if (!(*kernel)->gemm.run || !session_runs(planning->session, (*kernel)->isa) ||
            kernel_accepts(*kernel, reference.m, reference.k, NULL, 0))
            continue;
        for (size_t i = 0; !error && i < PLANNED_TOKENS; i++) {
            error = product_add(cells, *kernel, &reference, planned_tokens[i], 1, true);
            if (!error && widest > 1)
                error = product_add(cells, *kernel, &reference, planned_tokens[i], widest, true);
        }
    }
    return error;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    return cell->threads == 1 && gemm_is_main(planning->session, cell->kernel) ? CELL_GEMM : CELL_BREADTH;
}

/* ---- what it takes ---- */

/** Where the machine is not known yet: multiplications a second of a core, of integers and of floats. */
static const double SLOW_INTEGERS = 6e10, SLOW_FLOATS = 3e10;

/** To draw and to prepare an activation, to write a result for the first time. Seconds. */
static const double ACTIVATION_S = 4e-9, RESULT_S = 2e-9;

/** To read a weight for the reference, and to multiply it with the activations of the tokens compared. Seconds. */
static const double REFERENCE_S = 2e-8;
enum { COMPARED_ROWS = 110 };

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    const struct product_cell *own = gemm_cell(cell);
    double tokens = (double)own->tokens, weights = (double)own->m * (double)own->k;
    double rate = cell->kernel->format->bits >= 16 ? SLOW_FLOATS : SLOW_INTEGERS;
    double call_s = product_cost_reading(cell) + weights * tokens / rate / cell->threads;
    struct cell_cost takes = product_cost(session, cell, call_s);
    takes.bytes = 2200;
    takes.visit_s += call_s + tokens * ((double)own->k * ACTIVATION_S + (double)own->m * RESULT_S) +
                     fmin(weights, COMPARED_ROWS * (double)own->k) * REFERENCE_S;
    return takes;
}

/* ---- in a comparison ---- */

static int offer(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct cell_options *options, char *why, size_t size)
{
    /* one token, where memory binds, and a number of them where multiplying does */
    static const size_t tokens[] = {1, 64};
    const struct kernel *of = kernel && kernel->gemm.run && !sequence ? kernel : NULL;
    return product_offer(cells, of, tokens, 2, options, why, size);
}

static void settle(struct cells *cells)
{
    roof_paired_choose_all(cells, &cell_kind_gemm);
}

const struct cell_kind cell_kind_gemm = {
    PRODUCT_KIND_MEMBERS, .name = "gemm", .plan = plan,     .offer = offer,        .rank = 65,
    .value = value,       .cost = cost,   .settle = settle, .record = gemm_record, .derived = gemm_model_record,
};
