/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemm/gemm_plan.h"

#include "harness/cells/cell/weights_read.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/product_summary.h"

/** Where memory binds, where the unpacking is shared by more and more tokens, and where multiplying alone is left. */
static const size_t planned_tokens[] = {1, 4, 16, 64, 512};
enum { PLANNED_TOKENS = sizeof planned_tokens / sizeof *planned_tokens, REFERENCE_SIDE = 4096 };

bool gemm_is_main(const struct session *session, const struct kernel *kernel)
{
    if (!kernel->gemm.run || !session_runs(session, kernel->isa))
        return false;
    if (plugins_of_kernel(&session->plugins, kernel))
        return true;
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->gemm.run && (*other)->format == kernel->format && session_runs(session, (*other)->isa) &&
            !plugins_of_kernel(&session->plugins, *other) &&
            isa_find((*other)->isa)->priority > isa_find(kernel->isa)->priority)
            return false;
    }
    return true;
}

int gemm_plan(struct cells *cells, const struct planning *planning)
{
    const struct shape reference = {.m = REFERENCE_SIDE, .k = REFERENCE_SIDE, .count = 1};
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

enum cell_value gemm_value(const struct planning *planning, const struct cell *cell)
{
    return cell->threads == 1 && gemm_is_main(planning->session, cell->kernel) ? CELL_GEMM : CELL_BREADTH;
}

/* ---- what it takes ---- */

/** Where the machine is not known yet: bytes a second of a core, multiplications a second of integers and of floats. */
static const double SLOW_CORE = 8e9, SLOW_MEMORY = 24e9, SLOW_INTEGERS = 6e10, SLOW_FLOATS = 3e10;

/** To draw and to prepare an activation, to write a result for the first time. Seconds. */
static const double ACTIVATION_S = 4e-9, RESULT_S = 2e-9;

/** To read a weight for the reference, and to multiply it with the activations of the tokens compared. Seconds. */
static const double REFERENCE_S = 2e-8;
enum { COMPARED_ROWS = 110 };

/** To begin a visit; around each timed region: the clocks. Seconds. */
static const double BEGIN_S = 5e-4, CLOCKS_S = 6e-5;

static double least(double a, double b)
{
    return a < b ? a : b;
}

struct cell_cost gemm_cost(const struct session *session, const struct cell *cell)
{
    const struct product_cell *own = gemm_cell(cell);
    double bytes = product_packed_bytes(cell), threads = cell->threads, tokens = (double)own->tokens;
    double weights = (double)own->m * (double)own->k;
    double rate = cell->kernel->format->bits >= 16 ? SLOW_FLOATS : SLOW_INTEGERS;
    double reading_s = bytes / least(SLOW_CORE * threads, SLOW_MEMORY);
    double call_s = reading_s + weights * tokens / rate / threads;
    struct cell_cost cost = {
        .visit_s = BEGIN_S + call_s + energy_visit_s(session), .sample_s = call_s + CLOCKS_S, .bytes = 2200};
    if (cell->cold)
        cost.sample_s += CLOCKS_S + least(bytes + (2 << 20), 16.0 * (1 << 20) * threads) / SLOW_CORE;
    weights_add_filling(session, cell, bytes, &cost);
    cost.visit_s += tokens * ((double)own->k * ACTIVATION_S + (double)own->m * RESULT_S) +
                    least(weights, COMPARED_ROWS * (double)own->k) * REFERENCE_S;
    return cost;
}
