/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of GEMV cells: what they attain, and what the model says of them.
 */
#include "harness/cells/gemv/gemv_model.h"

#include <math.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/dequantize/dequantize.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_schedule_record.h"
#include "harness/cells/product/product_summary.h"
#include "harness/cells/read/read.h"
#include "roofline/ebw.h"
#include "roofline/limit.h"

static const char *binding(const struct gemv_model *model)
{
    double longer_s = fmax(model->shared_s, model->compute_s); /* shared, where there is no compute_s */
    return model->sync_s > longer_s                                                                  ? "synchronisation"
           : model->start_s > longer_s                                                               ? "start"
           : model->shared_s >= model->compute_s || model->shared_s + model->start_s >= model->max_s ? "memory"
                                                                                                     : "up-convert";
}

/** Residuals are of cells that the model has not seen: omega is taken from the calibration cell. */
static void set_residuals(json_t *record, const struct session *session, const struct cell *cell,
                          const struct gemv_model *model, double time_s)
{
    const char *calibration = gemv_is_calibration(cell) ? "calibration: omega of the kernel is taken from this cell"
                              : gemv_is_start(session, cell)
                                  ? "calibration: the start of a call is taken from this cell"
                                  : NULL;
    bool held_out = !calibration;
    double of_max = (time_s - model->max_s) / model->max_s;
    double of_overlap = (time_s - model->overlap_s) / model->overlap_s;
    const char *why = isfinite(time_s) ? model->why : "too few samples were kept";
    field_set(record, "held_out", json_boolean(held_out));
    field_set_number_or_why(record, "residual", held_out ? of_max : NAN, held_out ? why : calibration);
    field_set_number_or_why(record, "residual_overlap", held_out ? of_overlap : NAN, held_out ? why : calibration);
}

static void set_model(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell,
                      const struct gemv_model *model, double time_s)
{
    field_set_number(record, "predicted_s", model->max_s);
    field_set_number(record, "predicted_serial_s", model->serial_s);
    field_set_number_or_why(record, "predicted_overlap_s", model->overlap_s, model->why);
    field_set_number(record, "roof_near_bytes_per_s",
                     cell->roof_local_bytes_per_s > 0 ? cell->roof_local_bytes_per_s : (double)NAN);
    field_set_number(record, "shared_read_s", model->shared_s);
    field_set_number(record, "core_read_s", model->memory_s);
    field_set_number(record, "compute_s", model->compute_s);
    field_set_number(record, "start_s", model->start_s);
    field_set_number(record, "omega", model->omega);
    field_set_number(record, "overlap", roofline_overlap(time_s - model->start_s, model->shared_s, model->compute_s));
    set_residuals(record, session, cell, model, time_s);
    field_set(record, "binds", isfinite(model->max_s) ? json_string(binding(model)) : json_null());
    const char *sequence = kernel_gamma(cell->kernel);
    if (!sequence_find(sequence))
        field_set_number_or_why(record, "predicted_read_s", model->shared_s + model->start_s,
                                "beta of its level and team or the barrier was not measured often enough");
    char used[160];
    snprintf(used, sizeof used, "%s@%u", sequence, model->accumulators);
    field_set_number_or_why(record, "gamma", model->gamma, gamma_missing(cells, sequence));
    field_set(record, "gamma_used", isfinite(model->compute_s) ? json_string(used) : json_null());
}

/** Whether a cell is suspect, from above or from below. */
static void set_plausibility(json_t *record, const struct cell *cell, const struct gemv_model *model,
                             struct graded time)
{
    const struct plausibility_facts facts = {
        .roof_fraction = cell->cold ? summary_stated(product_roof_fraction(cell)) : (double)NAN,
        .fastest_s = time.summary.ci95[0],
        .predicted_overlap_s = model->overlap_s,
        .predicted_max_s = model->max_s,
    };
    enum plausibility plausibility = plausibility_of(&facts);
    field_set(record, "above_roof", json_boolean(plausibility == PLAUSIBILITY_ABOVE_ROOF));
    field_set(record, "far_below",
              plausibility == PLAUSIBILITY_NOT_JUDGED ? json_null()
                                                      : json_boolean(plausibility == PLAUSIBILITY_FAR_BELOW));
    if (plausibility == PLAUSIBILITY_NOT_JUDGED)
        field_set(record, "far_below_reason",
                  json_string(isnan(facts.fastest_s) ? "too few samples were kept" : "the model does not cover it"));
}

static void set_preparation(json_t *record, const struct cells *cells, const struct cell *cell, double time_s)
{
    double prepare_s = prepare_time(cells, cell->kernel, gemv_cell(cell)->k);
    field_set_number(record, "prepare_s", prepare_s);
    field_set_number(record, "prepare_share", prepare_s / time_s);
    const struct cell *dequantize = dequantize_find(cells, cell->kernel, gemv_cell(cell)->m);
    if (!dequantize)
        return;
    double dequantize_s = summary_stated(summary_time(dequantize));
    field_set_number(record, "dequantize_s", dequantize_s);
    field_set_number(record, "dequantize_share", dequantize_s / time_s);
}

json_t *gemv_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    struct graded time = summary_time(cell);
    const struct gemv_model model = gemv_model(session, cells, cell);
    json_t *record = product_record_begin(session, cell);
    field_set_competing(record, "time_s", time, "s");
    field_set_quantity(record, "bytes_per_s", product_bandwidth(cell), "B/s");
    field_set_quantity(record, "bytes_per_cycle_per_core", product_bytes_per_cycle(cell), "B/cycle");
    field_set_quantity(record, "ops_per_cycle", product_operations(cell), "op/cycle");
    product_record_roof(record, session, cell);
    if (cell->cold)
        read_set_fields(record, cells, (size_t)product_packed_bytes(cell), cell->threads);
    set_model(record, session, cells, cell, &model, summary_stated(time));
    product_record_samples(record, cell);
    set_preparation(record, cells, cell, summary_stated(time));
    set_plausibility(record, cell, &model, time);
    product_record_end(record, session, cells, cell);
    return record;
}
