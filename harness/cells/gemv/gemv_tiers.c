/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemv/gemv_tiers.h"
#include "harness/cells/cell/weights_read.h"

#include <string.h>

#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/product/product_summary.h"
#include "harness/measure/session_pool.h"
#include "reports/select/machines/recommended.h"

/** The shape on which every ISA's variant of a kernel runs; elsewhere only the best one of a sequence does. */
enum { REFERENCE_SIDE = 4096 };

/** Whether another runnable kernel of the same format and sequence has a better ISA. */
static bool is_best_variant(const struct session *session, const struct kernel *kernel)
{
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->gemv && (*other)->format == kernel->format && strcmp((*other)->sequence, kernel->sequence) == 0 &&
            session_runs(session, (*other)->isa) && isa_find((*other)->isa)->priority > isa_find(kernel->isa)->priority)
            return false;
    }
    return true;
}

static const char main_paper[] = "envelope";

/** Whether real numbers of 16 bits: what models are published in, and what every paper's formats are compared with. */
static bool is_baseline(const struct format *format)
{
    return format->weight_min == 0 && format->weight_max == 0 && format->bits == 16;
}

/**
 * Whether the paper is the origin of a kernel of this format; formats that are all ours belong to the main paper, and
 * so do kernels of plug-ins, which change nothing for others of their format.
 */
static bool is_of_paper(const struct session *session, const struct kernel *kernel, const char *paper)
{
    bool ours_alone = true;
    if (plugins_of_kernel(&session->plugins, kernel))
        return strcmp(paper, main_paper) == 0;
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format != kernel->format || strcmp((*other)->origin, "kneepoint") == 0 ||
            plugins_of_kernel(&session->plugins, *other))
            continue;
        ours_alone = false;
        if (strcmp((*other)->origin, paper) == 0)
            return true;
    }
    return ours_alone && strcmp(paper, main_paper) == 0;
}

/** Whether a paper that times the shape is the origin of a kernel of this format. */
static bool is_timed(const struct kernel *kernel, const struct shape *shape)
{
    if (is_baseline(kernel->format))
        return shape->timed_by[0];
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format == kernel->format && shape_is_timed_by(shape, (*other)->origin))
            return true;
    }
    return false;
}

/** What activations of 8 bits, and tables of 8 bits of them, are off by is less. */
static const double MODEL_ERROR_MOST = 0.01;

/**
 * Whether a model's layers are to be measured with a kernel: activations keep 8 bits, and the columns their order. What planes of fewer
 * bits and orders of columns make of models, scripts/measuring/measure_bit_serial and scripts/measuring/measure_mixed measure.
 */
static bool is_for_models(const struct kernel *kernel)
{
    return kernel->error_bound <= MODEL_ERROR_MOST && !kernel->format->order_columns;
}

enum gemv_tier gemv_tier_of(const struct session *session, const struct kernel *kernel, const struct shape *shape)
{
    char why[160];
    if (!kernel->gemv || !session_runs(session, kernel->isa) ||
        kernel_accepts(kernel, shape->m, shape->k, why, sizeof why))
        return GEMV_TIERS;
    if (shape->m == REFERENCE_SIDE && shape->k == REFERENCE_SIDE)
        return GEMV_REFERENCE;
    if (!is_best_variant(session, kernel))
        return GEMV_TIERS;
    if (shape_is_timed_by(shape, main_paper) && is_of_paper(session, kernel, main_paper))
        return GEMV_MAIN_PAPER;
    bool could_run_it = shape_is_timed_by(shape, main_paper) && gemv_is_main(session, kernel) && is_for_models(kernel);
    return could_run_it || is_timed(kernel, shape) ? GEMV_PAPERS : GEMV_TIERS;
}

/* ---- what a cell is worth ---- */

/** Whether no other kernel of the format that is ours too runs here with a better ISA. */
static bool is_best_of_ours(const struct session *session, const struct kernel *kernel)
{
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->gemv && (*other)->format == kernel->format && strcmp((*other)->origin, "kneepoint") == 0 &&
            session_runs(session, (*other)->isa) && isa_find((*other)->isa)->priority > isa_find(kernel->isa)->priority)
            return false;
    }
    return true;
}

bool gemv_is_main(const struct session *session, const struct kernel *kernel)
{
    bool ours = strcmp(kernel->origin, "kneepoint") == 0 && !plugins_of_kernel(&session->plugins, kernel);
    if (!kernel->gemv)
        return false;
    return ours ? is_best_of_ours(session, kernel) : is_best_variant(session, kernel);
}

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

enum cell_value gemv_value(const struct planning *planning, const struct cell *cell)
{
    const struct product_cell *own = gemv_cell(cell);
    bool one = cell->threads == planning->sizes[0], widest = cell->threads == planning->sizes[planning->teams - 1];
    bool is_reference = own->m == REFERENCE_SIDE && own->k == REFERENCE_SIDE;
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
    return widest && is_main && is_layer && is_for_models(cell->kernel) ? CELL_MODELS : CELL_PAPERS;
}

bool gemv_of_use_together(const struct cell *cell)
{
    return cell->value == CELL_MODELS; /* tokens per second are of all matrices of a layer */
}

/* ---- what it takes ---- */

/** Where the machine is not known yet: bytes a second of a core and of memory, output vectors a second of a core. */
static const double SLOW_CORE = 8e9, SLOW_MEMORY = 24e9, SLOW_VECTORS = 1.2e9;

/** To write a byte for the first time. Seconds. */
static const double FIRST_WRITE_S = 1e-9;

/** To multiply a weight as the scalar reference does, s; weights that are compared, see gemv_verify. */
static const double REFERENCE_S = 2e-9;
enum { COMPARED_WEIGHTS = 1 << 20, COMPARED_ROWS = 110 };

/** To begin a visit: the team, the vectors; around each timed region: the clocks. Seconds. */
static const double BEGIN_S = 5e-4, CLOCKS_S = 6e-5;

static double least(double a, double b)
{
    return a < b ? a : b;
}

struct cell_cost gemv_cost(const struct session *session, const struct cell *cell)
{
    const struct product_cell *own = gemv_cell(cell);
    double bytes = product_packed_bytes(cell), weights = (double)own->m * (double)own->k;
    double pool = cell->cold ? (double)session_cold_bytes(session, cell->threads) * cell->threads : bytes;
    double reading_s = bytes / least(SLOW_CORE * cell->threads, SLOW_MEMORY);
    double computing_s = weights / 32 / SLOW_VECTORS / cell->threads;
    double call_s = reading_s > computing_s ? reading_s : computing_s;
    struct cell_cost cost = {
        .visit_s = BEGIN_S + energy_visit_s(session), .sample_s = call_s + CLOCKS_S, .bytes = 2000};
    if (cell->cold) /* the roof reads as much, within limits */
        cost.sample_s += CLOCKS_S + least(bytes + (2 << 20), 16.0 * (1 << 20) * cell->threads) / SLOW_CORE;
    if (bytes > pool)
        cost.once_s = FIRST_WRITE_S * (bytes - pool);
    weights_add_filling(session, cell, bytes, &cost);
    cost.visit_s +=
        REFERENCE_S * least(weights, COMPARED_ROWS * (double)own->k > COMPARED_WEIGHTS ? COMPARED_ROWS * (double)own->k
                                                                                       : COMPARED_WEIGHTS);
    return cost;
}
