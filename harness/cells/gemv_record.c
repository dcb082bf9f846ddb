/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of GEMV cells: what they attain, and what the model says of them.
 */
#include "harness/cells/gemv_record.h"

#include <math.h>
#include <stdio.h>

#include "harness/cells/beta.h"
#include "harness/cells/cell/fields.h"
#include "harness/cells/gamma.h"
#include "harness/cells/gemv_summary.h"
#include "harness/cells/prepare.h"
#include "harness/cells/sync.h"
#include "platforms/quiet.h"
#include "roofline/ebw.h"

/** Above this multiple of the roof something was not what it was taken for. */
static const double ROOF_EXCEEDED = 1.03;

static const char *gamma_name(const struct kernel *kernel)
{
    return kernel->gamma ? kernel->gamma : kernel->name;
}

/**
 * Seconds in which the slowest kind of core in the team up-converts an equal share of the vectors. The clock of a
 * sample is a mean over the team, so where there are several kinds each has that of its own gammas.
 */
static double compute_time(const struct cells *cells, const struct cell *cell, double vectors, double core_hz,
                           unsigned *accumulators)
{
    const char *name = gamma_name(cell->kernel);
    double vector_s = gamma_best(cells, name, accumulators) / core_hz;
    bool several = false;
    for (unsigned member = 1; member < cell->threads; member++) {
        if (!gamma_leads_kind(cells, name, member))
            continue;
        if (!several)
            vector_s *= core_hz / gamma_clock(cells, 0);
        several = true;
        double here_s = gamma_best_on(cells, name, member, NULL) / gamma_clock(cells, member);
        if (isnan(here_s) || here_s > vector_s)
            vector_s = here_s;
        if (isnan(here_s))
            break;
    }
    return vector_s * vectors / cell->threads;
}

/** Seconds that memory and up-convert each need for this GEMV, and the barrier. */
struct model {
    double memory_s, compute_s, sync_s;
    double gamma; /* on the first member's kind of core; NaN where it was not measured */
    unsigned accumulators;
};

static struct model model_of(const struct session *session, const struct cells *cells, const struct cell *cell,
                             double core_hz)
{
    struct model model = {.sync_s = sync_time(cells, cell->threads)};
    const struct format *format = cell->kernel->format;
    const struct gemv_cell *own = gemv_cell(cell);
    double vectors =
        (double)(format_panels(format, own->m) * format->rows_per_panel) * (double)format_columns(format, own->k) / 32;
    model.compute_s = compute_time(cells, cell, vectors, core_hz, &model.accumulators);
    model.gamma = gamma_best(cells, gamma_name(cell->kernel), &model.accumulators);
    double bandwidth = NAN;
    if (cell->cold) {
        bandwidth = summary_stated(gemv_roof_beside(cell));
    } else {
        const struct cell *roof = beta_roof(cells, gemv_level(session, cell), cell->threads);
        if (roof)
            bandwidth = summary_stated(beta_bandwidth(roof));
    }
    model.memory_s = gemv_packed_bytes(cell) / bandwidth;
    return model;
}

static void set_model(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell,
                      double time_s)
{
    struct model model = model_of(session, cells, cell, summary_stated(summary_clock(cell)));
    double overlapped = fmax(model.memory_s, model.compute_s) + model.sync_s;
    double serial = model.memory_s + model.compute_s + model.sync_s;
    if (!isfinite(model.memory_s) || !isfinite(model.compute_s))
        overlapped = serial = NAN;
    field_set_number(record, "predicted_s", overlapped);
    field_set_number(record, "predicted_serial_s", serial);
    field_set_number(record, "overlap", roofline_overlap(time_s - model.sync_s, model.memory_s, model.compute_s));
    field_set_number(record, "residual", (time_s - overlapped) / overlapped);
    const char *binds = model.sync_s > fmax(model.memory_s, model.compute_s) ? "synchronisation"
                        : model.memory_s >= model.compute_s                  ? "memory"
                                                                             : "up-convert";
    field_set(record, "binds", isfinite(overlapped) ? json_string(binds) : json_null());
    char used[160];
    snprintf(used, sizeof used, "%s@%u", gamma_name(cell->kernel), model.accumulators);
    field_set_number(record, "gamma", model.gamma);
    field_set(record, "gamma_used", isfinite(model.compute_s) ? json_string(used) : json_null());
}

/** How far the results are from the definition; a cell that is further than its kernel may be has no record. */
static void set_correctness(json_t *record, const struct cell *cell)
{
    const struct kernel *kernel = cell->kernel;
    field_set(record, "activations", json_string(kernel->takes == KERNEL_TAKES_INT8 ? "int8" : "f32"));
    field_set(record, "result", json_string(kernel->gives == KERNEL_GIVES_INT32 ? "int32" : "f32"));
    field_set(record, "lossless", json_boolean(kernel->lossless));
    field_set(record, "exact", json_boolean(cell->exact));
    field_set_number(record, "error", cell->error);
    field_set(record, "within_bound", json_boolean(cell->verified));
}

static void set_preparation(json_t *record, const struct cells *cells, const struct cell *cell, double time_s)
{
    double prepare_s = prepare_time(cells, cell->kernel, gemv_cell(cell)->k);
    field_set_number(record, "prepare_s", prepare_s);
    field_set_number(record, "prepare_share", prepare_s / time_s);
}

json_t *gemv_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct kernel *kernel = cell->kernel;
    struct graded time = summary_time(cell);
    const struct gemv_cell *own = gemv_cell(cell);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:o, s:o, s:I, s:I, s:i, s:i, s:s, s:s, s:I}", "type", "gemv",
                  "name", kernel->name, "format", kernel->format->name, "sequence", kernel->sequence, "isa",
                  kernel->isa, "origin", kernel->origin, "bits", format_bits_per_weight(kernel->format, own->m, own->k),
                  "models", field_names(own->models), "roles", field_names(own->roles), "m", (json_int_t)own->m, "k",
                  (json_int_t)own->k, "n", 1, "threads", (int)cell->threads, "protocol", cell->cold ? "cold" : "warm",
                  "level", gemv_level(session, cell), "packed_bytes", (json_int_t)gemv_packed_bytes(cell));
    field_set_quantity(record, "time_s", time, "s");
    field_set_quantity(record, "bytes_per_s", gemv_bandwidth(cell), "B/s");
    field_set_quantity(record, "bytes_per_cycle_per_core", gemv_bytes_per_cycle(cell), "B/cycle");
    field_set_quantity(record, "ops_per_cycle", gemv_operations(cell), "op/cycle");
    field_set(record, "format_bits", json_real(kernel->format->bits));
    bool above = false;
    if (cell->cold) {
        struct graded fraction = gemv_roof_fraction(cell);
        above = summary_stated(fraction) > ROOF_EXCEEDED;
        field_set_quantity(record, "roof_fraction", fraction, "1");
        field_set_quantity(record, "roof_bytes_per_s", gemv_roof_beside(cell), "B/s");
        field_set(record, "roof_stream", field_roof_stream(session, "memory", cell->threads, gemv_roof_stream(cell)));
        if (own->copies) { /* not of samples that were restored */
            field_set(record, "copies", json_integer((json_int_t)own->copies));
            field_set(record, "one_layer", json_boolean(own->copies == 1));
        }
    } else {
        field_set(record, "roof_fraction", json_null());
        field_set(record, "roof_fraction_reason", json_string("warm: the weights do not come from memory"));
    }
    set_model(record, session, cells, cell, summary_stated(time));
    if (interrupts_undetectable()) {
        field_set(record, "kept_though_interrupted", json_null());
        field_set(record, "kept_though_interrupted_reason", json_string(interrupts_undetectable()));
    } else {
        field_set(record, "kept_though_interrupted", json_integer((json_int_t)summary_kept_though_interrupted(cell)));
    }
    set_correctness(record, cell);
    set_preparation(record, cells, cell, summary_stated(time));
    field_set(record, "above_roof", json_boolean(above));
    field_set_counters(record, cell);
    return record;
}
