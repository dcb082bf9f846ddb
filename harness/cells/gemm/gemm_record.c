/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of GEMM cells, what the model says of each, and the model of a sweep.
 */
#include "harness/cells/gemm/gemm_model.h"

#include <math.h>
#include <stdio.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/product_schedule_record.h"
#include "harness/cells/product/product_summary.h"
#include "harness/cells/repack/repack.h"
#include "harness/cells/unpack/unpack.h"
#include "roofline/limit.h"

static const char few[] = "too few samples were kept";

/** Why there is no roof of loading operands. */
static const char *no_operand_roof(const struct gemm_model *model, const struct cell *cell)
{
    if (isnan(model->operands.operations))
        return "it does not multiply tiles";
    return isnan(gemm_operand_roof(&model->operands, (double)gemm_cell(cell)->tokens))
               ? "what a tile takes was not measured often enough"
               : "tiles were slower when they were measured than here";
}

/** What each roof allows at the cell's number of tokens; of a cell from a cache reading from there. */
static void set_roofs(json_t *record, const struct gemm_model *model, const struct gemm_prediction *predicted,
                      const struct cell *cell)
{
    const struct gemm_fit terms = gemm_model_terms(model);
    struct gemm_roofs roofs =
        gemm_roofs(&terms, (double)gemm_cell(cell)->tokens, predicted->memory_cycles, model->multiply_gamma);
    const double operands = predicted->operand_roof;
    const char *binds = gemm_binds_tiles(gemm_binds(&terms, (double)gemm_cell(cell)->tokens, predicted->memory_cycles),
                                         operands, roofs.multiply);
    struct graded attained = product_operations(cell);
    field_set_number_or_why(record, "memory_roof_ops_per_cycle", roofs.memory,
                            "beta of its level and team was not measured often enough");
    field_set_number_or_why(record, "up_convert_roof_ops_per_cycle", roofs.up_convert,
                            model->why     ? model->why
                            : terms.up_why ? terms.up_why
                                           : "nothing is up-converted");
    field_set_number_or_why(record, "multiply_roof_ops_per_cycle", roofs.multiply,
                            "no gamma of a sequence that only multiplies was measured");
    field_set(record, "multiply_roof", isnan(roofs.multiply) ? json_null() : json_string(model->multiply));
    field_set_number(record, "multiply_fraction", summary_stated_cycles(attained) / roofs.multiply);
    field_set_number_or_why(record, "operand_roof_ops_per_cycle", operands, no_operand_roof(model, cell));
    field_set_number(record, "operand_fraction", summary_stated_cycles(attained) / operands);
    field_set(record, "binds", binds ? json_string(binds) : json_null());
    bool above_multiply = summary_stated_cycles(attained) > PLAUSIBILITY_ABOVE * roofs.multiply;
    bool above_memory = cell->cold && summary_stated(product_roof_fraction(cell)) > PLAUSIBILITY_ABOVE;
    field_set(record, "above_roof", json_boolean(above_multiply || above_memory));
}

/** The time that parts measured apart predict, of a kernel on tiles, which no cell is fitted to. */
static void set_operand_prediction(json_t *record, const struct gemm_model *model,
                                   const struct gemm_prediction *predicted, const struct cell *cell, double time_s)
{
    const char *why = isnan(predicted->operand_roof)    ? no_operand_roof(model, cell)
                      : isnan(predicted->memory_cycles) ? "beta of its level and team was not measured often enough"
                                                        : "unpacking alone was not measured often enough";
    field_set_number_or_why(record, "predicted_operands_s", predicted->operands_s, why);
    field_set_number_or_why(record, "residual_operands", (time_s - predicted->operands_s) / predicted->operands_s,
                            isnan(time_s) ? few : why);
}

static void set_model(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell,
                      double time_s)
{
    struct gemm_model model = gemm_model(session, cells, cell);
    struct gemm_prediction predicted = gemm_predict(session, cells, &model, cell);
    bool fitted = gemm_is_calibration(&model, cell), of_omega = gemm_is_omega(&model, cell);
    const char *unknown =
        model.why ? model.why : "beta of its level and team or the clock was not measured often enough";
    const char *why = fitted          ? "calibration: the terms of the kernel are fitted to this cell"
                      : isnan(time_s) ? few
                                      : unknown;
    const char *why_overlap = fitted || !of_omega ? why : "calibration: omega of the kernel is taken from this cell";
    field_set_number_or_why(record, "predicted_s", predicted.max_s, unknown);
    field_set_number_or_why(record, "predicted_overlap_s", predicted.overlap_s,
                            model.why ? model.why
                                      : "no cold cell of the sweep shows how far reading and computing overlap");
    field_set_number(record, "memory_s", predicted.memory_s);
    field_set_number(record, "compute_s", predicted.compute_s);
    field_set_number(record, "omega", model.omega);
    field_set(record, "held_out", json_boolean(!fitted));
    field_set_number_or_why(record, "residual", fitted ? NAN : (time_s - predicted.max_s) / predicted.max_s, why);
    field_set_number_or_why(record, "residual_overlap",
                            fitted || of_omega ? NAN : (time_s - predicted.overlap_s) / predicted.overlap_s,
                            why_overlap);
    set_operand_prediction(record, &model, &predicted, cell, time_s);
    set_roofs(record, &model, &predicted, cell);
}

/** What it takes to bring the rows of a model file into the kernel's order. */
static void set_repacking(json_t *record, const struct cells *cells, const struct cell *cell)
{
    const struct product_cell *own = gemm_cell(cell);
    const struct format *format = cell->kernel->format;
    const struct block_order *order = block_order_of(format);
    const struct cell *repack = repack_find(cells, format, own->m, own->k, cell->threads);
    const char *why = order && block_order_rows(order) ? "repacking to it was not measured often enough"
                                                       : "no model file holds its weights in another order";
    field_set_number_or_why(record, "repack_bytes_per_s", repack ? summary_stated(repack_bandwidth(repack)) : NAN, why);
    field_set_number_or_why(record, "bytes_held_twice", repack ? product_packed_bytes(cell) : NAN, why);
}

/** What was done to the operands before, and what that costs. */
static void set_operands(json_t *record, const struct cells *cells, const struct cell *cell, double time_s)
{
    const struct product_cell *own = gemm_cell(cell);
    double prepare_s = prepare_tokens_time(cells, cell->kernel, own->k, own->tokens);
    field_set_number(record, "prepare_s", prepare_s);
    field_set_number(record, "prepare_share", prepare_s / time_s);
    field_set(record, "prepared_bytes",
              json_integer((json_int_t)kernel_gemm_prepared_bytes(cell->kernel, own->k, own->tokens)));
    if (own->scratch_bytes || !kernel_gemm_scratch_bytes(cell->kernel, own->k, own->tokens)) /* else: restored */
        field_set(record, "scratch_bytes", json_integer((json_int_t)own->scratch_bytes));
    set_repacking(record, cells, cell);
}

json_t *gemm_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    struct graded time = summary_time(cell);
    json_t *record = product_record_begin(session, cell);
    field_set_competing(record, "time_s", time, "s");
    field_set_quantity(record, "ops_per_cycle", product_operations(cell), "op/cycle");
    field_set_quantity(record, "ops_per_s", product_operations_per_s(cell), "op/s");
    field_set_quantity(record, "tokens_per_s", product_tokens_per_s(cell), "1/s");
    field_set_quantity(record, "bytes_per_s", product_bandwidth(cell), "B/s");
    field_set_quantity(record, "cycles_per_vector", product_cycles_per_vector(cell), "cycle");
    product_record_roof(record, session, cell);
    set_model(record, session, cells, cell, summary_stated(time));
    product_record_samples(record, cell);
    set_operands(record, cells, cell, summary_stated(time));
    product_record_end(record, session, cells, cell);
    return record;
}

/* ---- of a sweep ---- */

/** Whether no cell of the sweep with samples comes before this one. */
static bool leads(const struct cells *cells, const struct cell *cell)
{
    for (const struct cell *other = cells->cell; other < cell; other++) {
        if (other->samples.count && gemm_same_sweep(cell, other))
            return false;
    }
    return true;
}

/** At each number of tokens from memory: what binds. */
static json_t *bound_by_tokens(const struct cells *cells, const struct cell *cell, const struct gemm_model *model)
{
    const struct gemm_fit terms = gemm_model_terms(model);
    json_t *all = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *other = &cells->cell[i];
        size_t tokens = other->samples.count && gemm_same_sweep(cell, other) ? gemm_cell(other)->tokens : 0;
        bool known = !tokens;
        for (size_t j = 0; !known && j < json_array_size(all); j++)
            known = json_integer_value(json_object_get(json_array_get(all, j), "n")) == (json_int_t)tokens;
        if (known)
            continue;
        struct gemm_roofs roofs = gemm_roofs(&terms, (double)tokens, model->memory_cycles, model->multiply_gamma);
        double operands = gemm_operand_roof(&model->operands, (double)tokens);
        const char *binds = gemm_binds(&terms, (double)tokens, model->memory_cycles);
        json_t *one = json_pack("{s:I, s:s?}", "n", (json_int_t)tokens, "binds",
                                gemm_binds_tiles(binds, operands, roofs.multiply));
        field_set_number(one, "memory_ops_per_cycle", roofs.memory);
        field_set_number(one, "up_convert_ops_per_cycle", roofs.up_convert);
        field_set_number(one, "multiply_ops_per_cycle", roofs.multiply);
        field_set_number(one, "operand_ops_per_cycle", operands);
        json_array_append_new(all, one);
    }
    return all;
}

/** Residuals of the cells that the model has not seen. */
static json_t *residuals(const struct session *session, const struct cells *cells, const struct cell *cell,
                         const struct gemm_model *model)
{
    json_t *all = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *other = &cells->cell[i];
        if (!other->samples.count || !gemm_same_sweep(cell, other) || gemm_is_calibration(model, other))
            continue;
        struct gemm_prediction predicted = gemm_predict(session, cells, model, other);
        double time_s = summary_stated(summary_time(other));
        json_t *one = json_pack("{s:I, s:s}", "n", (json_int_t)gemm_cell(other)->tokens, "protocol",
                                other->cold ? "cold" : "warm");
        field_set_number(one, "residual", (time_s - predicted.max_s) / predicted.max_s);
        field_set_number(one, "residual_overlap",
                         gemm_is_omega(model, other) ? NAN : (time_s - predicted.overlap_s) / predicted.overlap_s);
        field_set_number(one, "residual_operands", (time_s - predicted.operands_s) / predicted.operands_s);
        json_array_append_new(all, one);
    }
    return all;
}

static void set_term(json_t *record, const char *field, double value, struct interval range, const char *why)
{
    char name[48];
    field_set_number_or_why(record, field, value, why);
    snprintf(name, sizeof name, "%s_range", field);
    field_set(record, name,
              isfinite(range.low) && isfinite(range.high) ? json_pack("[f, f]", range.low, range.high) : json_null());
}

json_t *gemm_model_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct kernel *kernel = cell->kernel;
    const struct product_cell *own = gemm_cell(cell);
    if (own->schedule || !leads(cells, cell))
        return NULL;
    struct gemm_model model = gemm_model(session, cells, cell);
    json_t *calibrated = json_array();
    for (size_t i = 0; i < model.calibrations; i++)
        json_array_append_new(calibrated, json_integer((json_int_t)model.calibrated[i]));
    json_t *record = product_record_named("gemm_model", cell);
    field_set(record, "m", json_integer((json_int_t)own->m));
    field_set(record, "k", json_integer((json_int_t)own->k));
    field_set(record, "threads", json_integer((json_int_t)cell->threads));
    field_set(record, "fitted_on", json_string(model.protocol));
    field_set(record, "fitted_n", calibrated);
    field_set_number(record, "bytes_per_vector", model.bytes_per_vector);
    set_term(record, "gamma_dot", model.fit.dot, model.fit.dot_range, model.why);
    set_term(record, "gamma_up", model.fit.up, model.fit.up_range, model.why ? model.why : model.fit.up_why);
    field_set_number_or_why(record, "memory_cycles_per_vector", model.memory_cycles,
                            "beta of memory with this team was not measured often enough");
    const struct gemm_fit terms = gemm_model_terms(&model);
    field_set_number_or_why(record, "unpack_gamma", model.unpack_gamma,
                            unpack_has(kernel) ? "unpacking alone was not measured often enough"
                                               : "it does not unpack to scratch, only in registers if at all");
    set_term(record, "n_star", model.knee, gemm_knee_range(&terms, model.memory_cycles),
             model.why                    ? model.why
             : isnan(model.memory_cycles) ? "beta of memory is not known"
                                          : terms.up_why);
    field_set_number_or_why(record, "omega", model.omega,
                            "no cold cell of the sweep shows how far reading and computing overlap");
    field_set(record, "omega_n", model.omega_tokens ? json_integer((json_int_t)model.omega_tokens) : json_null());
    field_set_number_or_why(record, "multiply_gamma", model.multiply_gamma,
                            "no gamma of a sequence that only multiplies was measured");
    field_set(record, "multiply_roof", model.multiply[0] ? json_string(model.multiply) : json_null());
    field_set(record, "roofs", bound_by_tokens(cells, cell, &model));
    field_set(record, "residuals", residuals(session, cells, cell, &model));
    const char *why;
    double pays = repack_pays_at(cells, cell, &why);
    field_set_number_or_why(record, "repacking_pays_after_n", pays, why);
    return record;
}
