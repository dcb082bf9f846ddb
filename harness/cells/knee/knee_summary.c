/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/knee/knee_summary.h"

#include <math.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/gamma/gamma.h"
#include "roofline/ebw.h"
#include "roofline/overlap.h"

/** Within this share of the best a smaller number is taken: medians of few samples do not separate them. */
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
    *value = (double)knee_cell(cell)->bytes * cell->repeats / cycles_of(&cell->samples.sample[i]);
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

struct graded knee_e_bw(const struct cell *cell)
{
    return summary_derive(cell, summary_roof_pairs(cell), true, e_bw_of);
}

struct graded knee_beta(const struct cell *cell)
{
    return summary_derive(cell, summary_roof_pairs(cell), true, beta_of);
}

struct graded knee_fraction(const struct cell *cell)
{
    return summary_derive(cell, summary_roof_pairs(cell), true, fraction_of);
}

size_t knee_pairs(const struct cell *cell)
{
    enum sample_grade grade;
    size_t kept = 0;
    for (size_t i = 0; i < summary_roof_pairs(cell); i++)
        kept += pair_of(cell, i, &grade);
    return kept;
}

double knee_vector_bytes(const struct sequence *sequence)
{
    return (double)sequence->weight_bytes / sequence->group_vectors;
}

static bool prefetches(const struct cell *cell, const struct sequence *sequence, bool competes)
{
    const struct knee_cell *own = knee_cell(cell);
    return own && cell->sequence == sequence && own->prefetches && own->competes == competes;
}

size_t knee_distance(const struct cells *cells, const struct sequence *sequence)
{
    double best = 0;
    size_t shortest = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (prefetches(cell, sequence, false) && knee_cell(cell)->prefetch_bytes)
            return knee_cell(cell)->prefetch_bytes;
        if (prefetches(cell, sequence, true))
            best = fmax(best, knee_fraction(cell).summary.median);
    }
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (prefetches(cell, sequence, true) && (!shortest || knee_cell(cell)->prefetch_bytes < shortest) &&
            knee_fraction(cell).summary.median >= (1 - PLATEAU) * best && best > 0)
            shortest = knee_cell(cell)->prefetch_bytes;
    }
    return shortest;
}

struct knee_model knee_model(const struct cells *cells, const struct cell *cell)
{
    const struct cell *gamma = gamma_find(cells, cell->sequence, knee_cell(cell)->variant->accumulators);
    struct knee_model model = {
        .gamma = gamma ? summary_stated_cycles(gamma_summary(gamma)) : NAN,
        .bytes = knee_vector_bytes(cell->sequence),
        .beta = summary_stated(knee_beta(cell)),
        .e_bw = summary_stated(knee_e_bw(cell)),
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

/* ---- omega ---- */

static struct overlap_measured measured(const struct summary *summary)
{
    return (struct overlap_measured){summary->median, {summary->ci95[0], summary->ci95[1]}};
}

struct graded knee_omega(const struct cells *cells, const struct cell *cell)
{
    const struct cell *of_gamma = gamma_find(cells, cell->sequence, knee_cell(cell)->variant->accumulators);
    struct graded e_bw = knee_e_bw(cell), beta = knee_beta(cell), gamma = {.grade = "wall"};
    struct graded omega = {.grade = e_bw.grade};
    if (of_gamma)
        gamma = gamma_summary(of_gamma);
    omega.summary.rejected = e_bw.summary.rejected;
    if (isnan(summary_stated(e_bw)) || isnan(summary_stated(beta)) || isnan(summary_stated_cycles(gamma)))
        return omega;
    struct overlap_measured reading = overlap_over(1, measured(&beta.summary));
    struct overlap_measured computing = overlap_times(measured(&gamma.summary), 1 / knee_vector_bytes(cell->sequence));
    struct overlap_fit fit = overlap_fit(overlap_over(1, measured(&e_bw.summary)), reading, computing);
    if (!isfinite(fit.omega) || !isfinite(fit.range.low))
        return omega;
    double lesser = fmin(reading.value, computing.value), byte = 1 / e_bw.summary.median;
    omega.summary = (struct summary){
        .median = fit.omega,
        .min = fit.omega - (1 / e_bw.summary.min - byte) / lesser,
        .max = fit.omega + (byte - 1 / e_bw.summary.max) / lesser,
        .mad = e_bw.summary.mad * byte * byte / lesser, /* to first order */
        .ci95 = {fit.range.low, fit.range.high},
        .n = e_bw.summary.n,
        .rejected = e_bw.summary.rejected,
    };
    return omega;
}

/* ---- records ---- */

/** Whether a cell has the prefetch distance that its sequence is reported with, or none that competes. */
static bool is_chosen(const struct cells *cells, const struct cell *cell)
{
    const struct knee_cell *own = knee_cell(cell);
    return !own->competes || knee_distance(cells, cell->sequence) == own->prefetch_bytes;
}

static void set_knee_model(json_t *record, const struct cells *cells, const struct cell *cell)
{
    struct knee_model model = knee_model(cells, cell);
    const struct cell *gamma = gamma_find(cells, cell->sequence, knee_cell(cell)->variant->accumulators);
    field_set(record, "bytes_per_vector", json_real(model.bytes));
    if (gamma)
        field_set_quantity(record, "gamma", gamma_summary(gamma), "cycles");
    else
        field_set(record, "gamma", json_null());
    field_set_number(record, "knee", roofline_knee(model.bytes, model.gamma));
    field_set_number(record, "distance", model.distance);
    field_set_number(record, "predicted", model.predicted);
    field_set_number(record, "predicted_serial", model.predicted_serial);
    field_set_number(record, "overlap", model.overlap);
    struct graded omega = knee_omega(cells, cell);
    if (omega.summary.n) {
        field_set_quantity(record, "omega", omega, "1");
    } else {
        field_set(record, "omega", json_null());
        field_set(record, "omega_reason",
                  json_string(isfinite(model.e_bw + model.beta + model.gamma)
                                  ? "one of reading and computing takes under 2% of the other"
                                  : "e_bw, beta or gamma was not measured, or not often enough"));
    }
    field_set_number(record, "residual", model.residual);
    field_set_number(record, "residual_serial", model.residual_serial);
    field_set(record, "above_roof", json_boolean(model.above_roof));
    field_set(record, "above_gamma", json_boolean(model.above_gamma));
}

json_t *knee_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct sequence *sequence = cell->sequence;
    const struct knee_cell *own = knee_cell(cell);
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:i, s:s, s:I, s:b, s:I}", "type", "knee", "name", sequence->name,
        "isa", sequence->isa, "format", sequence->format, "sequence", sequence->sequence, "origin", sequence->origin,
        "accumulators", (int)own->variant->accumulators, "level", own->level, "threads", (int)cell->threads, "prefetch",
        own->prefetches ? "t0" : "none", "prefetch_bytes", (json_int_t)own->prefetch_bytes, "chosen",
        is_chosen(cells, cell), "bytes_per_pass_per_core", (json_int_t)own->bytes);
    field_set_quantity(record, "e_bw", knee_e_bw(cell), "B/cycle");
    field_set_quantity(record, "beta", knee_beta(cell), "B/cycle");
    field_set_quantity(record, "roof_fraction", knee_fraction(cell), "1");
    field_set(
        record, "roof_stream",
        field_roof_stream(session, own->level, cell->threads, cell->roof.count ? cell->roof.sample[0].stream : 0));
    set_knee_model(record, cells, cell);
    field_set(record, "kept_though_interrupted", json_integer((json_int_t)summary_kept_though_interrupted(cell)));
    field_set(record, "exact", json_boolean(cell->exact));
    field_set_counters(record, cell);
    return record;
}
