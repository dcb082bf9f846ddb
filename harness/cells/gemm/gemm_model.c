/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemm/gemm_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/product/product_summary.h"
#include "harness/cells/tiles/tiles.h"
#include "harness/cells/unpack/unpack.h"
#include "roofline/ebw.h"
#include "roofline/limit.h"
#include "roofline/overlap.h"

/* ---- the roof of multiplying ---- */

static bool is_floating(const struct kernel *kernel)
{
    return kernel->format->bits >= 16;
}

/** The one sequence that multiplies as the kernel does and up-converts nothing; NULL: any of 8-bit weights of its ISA. */
static const char *multiplies_as(const struct kernel *kernel)
{
    if (kernel->gemm.multiply)
        return kernel->gemm.multiply;
    bool has_tiles = strncmp(kernel->isa, "amx", 3) == 0; /* its gamma is that of products of full tiles */
    if (is_floating(kernel) || has_tiles)
        return kernel_gamma(kernel);
    if (strcmp(kernel->isa, "avx2") == 0 &&
        kernel->format->bits < 8) /* products in pairs, which whole bytes overflow */
        return "c2.mad.avx2";
    return NULL;
}

static bool multiplies_for(const struct kernel *kernel, const struct sequence *sequence)
{
    const char *name = multiplies_as(kernel);
    if (name)
        return strcmp(sequence->name, name) == 0;
    if (sequence->bytes_per_vector != 32 || strncmp(sequence->format, "int8", 4) != 0)
        return false;
    /* VBMI and the like unpack; what multiplies is the same */
    bool vnni512 = strncmp(kernel->isa, "avx512", 6) == 0 && strstr(kernel->isa, "vnni");
    return strcmp(sequence->isa, vnni512 ? "avx512_vnni" : kernel->isa) == 0;
}

int gemm_add_multiply(struct cells *cells, const struct session *session, const struct kernel *kernel)
{
    int error = 0;
    for (const struct sequence *const *at = sequence_all(); !error && *at; at++) {
        if (multiplies_for(kernel, *at) && session_runs(session, (*at)->isa))
            error = gamma_add_of_kinds(cells, session, *at);
    }
    return error ? error : tiles_add_operands(cells, session, kernel);
}

static void find_multiply(const struct cells *cells, const struct kernel *kernel, struct gemm_model *model)
{
    model->multiply_gamma = NAN;
    for (const struct sequence *const *at = sequence_all(); *at; at++) {
        unsigned accumulators;
        double gamma = multiplies_for(kernel, *at) ? gamma_best(cells, (*at)->name, &accumulators) : (double)NAN;
        if (isnan(gamma) || gamma >= model->multiply_gamma)
            continue;
        model->multiply_gamma = gamma;
        snprintf(model->multiply, sizeof model->multiply, "%s", (*at)->name);
    }
}

/* ---- a sweep ---- */

bool gemm_same_sweep(const struct cell *one, const struct cell *other)
{
    const struct product_cell *a = gemm_cell(one), *b = gemm_cell(other);
    return a && b && !a->schedule && !b->schedule && one->kernel == other->kernel && a->m == b->m && a->k == b->k &&
           one->threads == other->threads;
}

/** Seconds in which the team reads the matrix from the cell's level. */
static double reading_time(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct cell *roof = beta_roof(cells, product_level(session, cell), cell->threads);
    return roof ? product_packed_bytes(cell) / summary_stated(beta_bandwidth(roof)) : (double)NAN;
}

/** Seconds as cycles of a core per output vector, at the clock of the cell, and back. */
static double vector_cycles(const struct cell *cell, double seconds)
{
    return seconds * summary_stated(summary_clock(cell)) * cell->threads / product_vectors(cell);
}

static double vector_seconds(const struct cell *cell, double cycles)
{
    return cycles * product_vectors(cell) / cell->threads / summary_stated(summary_clock(cell));
}

struct sweep {
    const struct cell *cell[GEMM_POINTS_MOST]; /* of one protocol, with a number, in ascending tokens */
    size_t count;
};

static int by_tokens(const void *a, const void *b)
{
    const struct cell *const *x = a, *const *y = b;
    size_t left = gemm_cell(*x)->tokens, right = gemm_cell(*y)->tokens;
    return (left > right) - (left < right);
}

static struct sweep sweep_of(const struct cells *cells, const struct cell *cell, bool cold)
{
    struct sweep sweep = {.count = 0};
    for (size_t i = 0; i < cells->count && sweep.count < GEMM_POINTS_MOST; i++) {
        const struct cell *other = &cells->cell[i];
        if (gemm_same_sweep(cell, other) && other->cold == cold &&
            isfinite(summary_stated_cycles(product_cycles_per_vector(other))))
            sweep.cell[sweep.count++] = other;
    }
    qsort(sweep.cell, sweep.count, sizeof *sweep.cell, by_tokens);
    return sweep;
}

/** All but every third; of few all. */
static struct sweep calibration_of(const struct sweep *all)
{
    struct sweep chosen = {.count = 0};
    for (size_t i = 0; i < all->count; i++) {
        if (all->count < GEMM_MODEL_HELD_OUT || i % 3 != 2)
            chosen.cell[chosen.count++] = all->cell[i];
    }
    return chosen;
}

static void fit_to(const struct session *session, const struct cells *cells, const struct sweep *calibration,
                   struct gemm_model *model)
{
    struct gemm_point points[GEMM_POINTS_MOST];
    model->calibrations = calibration->count;
    for (size_t i = 0; i < calibration->count; i++) {
        const struct cell *cell = calibration->cell[i];
        model->calibrated[i] = gemm_cell(cell)->tokens;
        points[i] = (struct gemm_point){
            .tokens = (double)gemm_cell(cell)->tokens,
            .cycles = summary_stated_cycles(product_cycles_per_vector(cell)),
            .memory_cycles = vector_cycles(cell, reading_time(session, cells, cell)),
        };
    }
    model->fit = gemm_fit(points, calibration->count);
}

/** Of the cold calibration cell in which neither of reading and computing is much the shorter. */
static void find_omega(const struct session *session, const struct cells *cells, const struct sweep *calibration,
                       struct gemm_model *model)
{
    double most = 0;
    model->omega = NAN;
    for (size_t i = 0; i < calibration->count; i++) {
        const struct cell *cell = calibration->cell[i];
        double memory_s = reading_time(session, cells, cell);
        double compute_s = vector_seconds(cell, gemm_computing(&model->fit, (double)gemm_cell(cell)->tokens));
        double alike = fmin(memory_s, compute_s) / fmax(memory_s, compute_s);
        double omega = roofline_overlap(summary_stated(summary_time(cell)), memory_s, compute_s);
        if (!isfinite(omega) || !(alike > most))
            continue;
        most = alike;
        model->omega = omega;
        model->omega_tokens = gemm_cell(cell)->tokens;
    }
}

static double cold_memory_cycles(const struct cells *cells, const struct cell *cell)
{
    const struct cell *roof = beta_roof(cells, "memory", cell->threads);
    return roof ? vector_cycles(cell, product_packed_bytes(cell) / summary_stated(beta_bandwidth(roof))) : (double)NAN;
}

struct gemm_fit gemm_model_terms(const struct gemm_model *model)
{
    return gemm_fit_with_up(&model->fit, model->unpack_gamma);
}

struct gemm_model gemm_model(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    struct gemm_model model = {.protocol = "warm",
                               .bytes_per_vector = product_packed_bytes(cell) / product_vectors(cell)};
    struct sweep warm = sweep_of(cells, cell, false), cold = sweep_of(cells, cell, true);
    struct sweep warm_calibration = calibration_of(&warm), cold_calibration = calibration_of(&cold);
    fit_to(session, cells, &warm_calibration, &model);
    if (isnan(model.fit.dot)) {
        model.protocol = "cold";
        fit_to(session, cells, &cold_calibration, &model);
    }
    find_omega(session, cells, &cold_calibration, &model);
    find_multiply(cells, cell->kernel, &model);
    model.operands = tiles_operands(cells, cell->kernel);
    model.memory_cycles = cold_memory_cycles(cells, cell);
    model.unpack_gamma = unpack_gamma(cells, cell->kernel);
    const struct gemm_fit terms = gemm_model_terms(&model);
    model.knee = gemm_knee(&terms, model.memory_cycles);
    if (isnan(model.fit.dot))
        model.why = warm.count + cold.count == 0 ? "none of its cells has a number in core cycles"
                                                 : "needs two token counts, with a number in core cycles, at which "
                                                   "computing takes at least twice as long as reading; add larger "
                                                   "--tokens";
    if (gemm_cell(cell)->schedule)
        model.why = "the model covers only equal shares of the first members at their own speed";
    return model;
}

static bool was_calibrated(const struct gemm_model *model, size_t tokens)
{
    for (size_t i = 0; i < model->calibrations; i++) {
        if (model->calibrated[i] == tokens)
            return true;
    }
    return false;
}

bool gemm_is_calibration(const struct gemm_model *model, const struct cell *cell)
{
    return strcmp(model->protocol, cell->cold ? "cold" : "warm") == 0 && was_calibrated(model, gemm_cell(cell)->tokens);
}

bool gemm_is_omega(const struct gemm_model *model, const struct cell *cell)
{
    return cell->cold && gemm_cell(cell)->tokens == model->omega_tokens;
}

/** What loading operands allows and, with unpacking, predicts. */
static void predict_operands(const struct gemm_model *model, const struct cell *cell, struct gemm_prediction *predicted)
{
    const double tokens = (double)gemm_cell(cell)->tokens, roof = gemm_operand_roof(&model->operands, tokens);
    const bool exceeded = summary_stated_cycles(product_operations(cell)) > PLAUSIBILITY_ABOVE * roof;
    const double unpack = unpack_has(cell->kernel) ? model->unpack_gamma : 0;
    predicted->operand_roof = exceeded ? (double)NAN : roof;
    predicted->operands_s =
        vector_seconds(cell, gemm_operand_cycles(predicted->operand_roof, tokens, predicted->memory_cycles, unpack));
}

struct gemm_prediction gemm_predict(const struct session *session, const struct cells *cells,
                                    const struct gemm_model *model, const struct cell *cell)
{
    struct gemm_prediction predicted = {.memory_s = reading_time(session, cells, cell)};
    predicted.memory_cycles = vector_cycles(cell, predicted.memory_s);
    predicted.compute_s = vector_seconds(cell, gemm_computing(&model->fit, (double)gemm_cell(cell)->tokens));
    predicted.max_s = isnan(predicted.memory_s) || isnan(predicted.compute_s)
                          ? (double)NAN
                          : fmax(predicted.memory_s, predicted.compute_s);
    predicted.overlap_s = overlap_time(predicted.memory_s, predicted.compute_s, model->omega);
    predict_operands(model, cell, &predicted);
    return predicted;
}
