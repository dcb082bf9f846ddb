/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/knee.h"

#include <math.h>

#include "harness/cells/cell/summary_derive.h"
#include "roofline/ebw.h"

/** Within this share of the best a smaller number is taken: medians of few samples do not tell them apart. */
static const double PLATEAU = 0.02;

/** As for GEMV: above this multiple of a bound something was not what it was taken for. */
static const double BOUND_EXCEEDED = 1.03;

static bool pair_of(const struct cell *cell, size_t i, enum sample_grade *grade)
{
    const struct sample *stream = &cell->samples.sample[i], *roof = &cell->roof.sample[i];
    *grade = stream->grade < roof->grade ? stream->grade : roof->grade;
    return stream->cause == SAMPLE_KEPT && roof->cause == SAMPLE_KEPT;
}

static double cycles_of(const struct sample *sample)
{
    return sample->wall_s * sample->core_hz;
}

static bool e_bw_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    *value = (double)cell->bytes * cell->repeats / cycles_of(&cell->samples.sample[i]);
    return pair_of(cell, i, grade);
}

static bool beta_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    *value = (double)cell->roof_bytes / cell->threads / cycles_of(&cell->roof.sample[i]);
    return pair_of(cell, i, grade);
}

static bool fraction_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double e_bw, beta;
    bool kept = e_bw_of(cell, i, &e_bw, grade) && beta_of(cell, i, &beta, grade);
    *value = kept ? e_bw / beta : NAN;
    return kept;
}

static size_t pairs_of(const struct cell *cell)
{
    return cell->roof.count < cell->samples.count ? cell->roof.count : cell->samples.count;
}

struct graded summary_knee_e_bw(const struct cell *cell)
{
    return summary_derive(cell, pairs_of(cell), true, e_bw_of, 0);
}

struct graded summary_knee_beta(const struct cell *cell)
{
    return summary_derive(cell, pairs_of(cell), true, beta_of, 0);
}

struct graded summary_knee_fraction(const struct cell *cell)
{
    return summary_derive(cell, pairs_of(cell), true, fraction_of, 0);
}

size_t summary_knee_pairs(const struct cell *cell)
{
    enum sample_grade grade;
    size_t kept = 0;
    for (size_t i = 0; i < pairs_of(cell); i++)
        kept += pair_of(cell, i, &grade);
    return kept;
}

double summary_knee_vector_bytes(const struct sequence *sequence)
{
    return (double)sequence->weight_bytes / sequence->group_vectors;
}

const struct cell *summary_gamma_cell(const struct cells *cells, const struct sequence *sequence, uint64_t accumulators)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->kind == CELL_GAMMA && cell->sequence == sequence && cell->variant->accumulators == accumulators &&
            summary_gamma(cell).summary.n)
            return cell;
    }
    return NULL;
}

unsigned summary_fewest_accumulators(const struct cells *cells, const struct sequence *sequence)
{
    unsigned fewest = 0;
    double best = summary_best_gamma(cells, sequence->name, &fewest);
    for (uint64_t i = sequence->variants; isfinite(best) && i-- > 0;) {
        uint64_t accumulators = sequence->variant[i].accumulators;
        const struct cell *cell = summary_gamma_cell(cells, sequence, accumulators);
        if (cell && accumulators >= sequence->least_accumulators && accumulators < fewest &&
            summary_gamma(cell).summary.median <= (1 + PLATEAU) * best)
            fewest = (unsigned)accumulators;
    }
    return isfinite(best) ? fewest : 0;
}

static bool prefetches(const struct cell *cell, const struct sequence *sequence, bool competes)
{
    return cell->kind == CELL_KNEE && cell->sequence == sequence && cell->prefetches && cell->competes == competes;
}

size_t summary_knee_distance(const struct cells *cells, const struct sequence *sequence)
{
    double best = 0;
    size_t shortest = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (prefetches(cell, sequence, false) && cell->prefetch_bytes)
            return cell->prefetch_bytes;
        if (prefetches(cell, sequence, true))
            best = fmax(best, summary_knee_fraction(cell).summary.median);
    }
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (prefetches(cell, sequence, true) && (!shortest || cell->prefetch_bytes < shortest) &&
            summary_knee_fraction(cell).summary.median >= (1 - PLATEAU) * best && best > 0)
            shortest = cell->prefetch_bytes;
    }
    return shortest;
}

struct knee_model summary_knee_model(const struct cells *cells, const struct cell *cell)
{
    const struct cell *gamma = summary_gamma_cell(cells, cell->sequence, cell->variant->accumulators);
    struct knee_model model = {
        .gamma = gamma ? summary_gamma(gamma).summary.median : NAN,
        .bytes = summary_knee_vector_bytes(cell->sequence),
        .beta = summary_knee_beta(cell).summary.median,
        .e_bw = summary_knee_e_bw(cell).summary.median,
    };
    model.distance = roofline_knee_distance(model.beta, model.bytes, model.gamma);
    model.predicted = roofline_effective_bandwidth(model.beta, model.bytes, model.gamma);
    model.predicted_serial = roofline_effective_bandwidth_serial(model.beta, model.bytes, model.gamma);
    model.overlap = roofline_bandwidth_overlap(model.e_bw, model.beta, model.bytes, model.gamma);
    model.residual = model.predicted / model.e_bw - 1;
    model.residual_serial = model.predicted_serial / model.e_bw - 1;
    model.above_roof = model.e_bw > BOUND_EXCEEDED * model.beta;
    model.above_gamma = model.e_bw > BOUND_EXCEEDED * roofline_knee(model.bytes, model.gamma);
    return model;
}
