/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of GEMV and GEMM cells with a schedule, and how they compare with what their members attain one by one.
 */
#include "harness/cells/product/product_schedule_record.h"

#include <math.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/product_summary.h"
#include "harness/team/gemm.h"
#include "harness/team/gemv.h"

static json_t *numbers(const double *value, unsigned count)
{
    json_t *array = json_array();
    for (unsigned t = 0; t < count; t++)
        json_array_append_new(array, isfinite(value[t]) ? json_real(value[t]) : json_null());
    return array;
}

json_t *product_schedule_weights(const struct product_schedule *schedule)
{
    return numbers(schedule->weight, schedule->members);
}

static void set_weights(json_t *record, const struct product_schedule *schedule)
{
    field_set(record, "weights", product_schedule_weights(schedule));
    field_set(record, "weights_from", json_string(schedule->weights));
    if (schedule->weights_n)
        field_set(record, "weights_n", json_integer((json_int_t)schedule->weights_n));
}

/** Pieces of a call that each member drew, a mean over all calls of this process. */
static void set_tail(json_t *record, const struct product_schedule *schedule, size_t unit_bytes)
{
    double drawn[SESSION_CPUS_MAX] = {0};
    uint64_t all = 0;
    for (unsigned t = 0; t < schedule->members; t++)
        all += schedule->pieces[t];
    if (!all) {
        field_set(record, "pieces_drawn", json_null());
        field_set(record, "pieces_drawn_reason", json_string("its samples were taken by an earlier process"));
        return;
    }
    for (unsigned t = 0; t < schedule->members; t++) /* a call draws all pieces of the tail */
        drawn[t] = (double)schedule->pieces[t] / (double)all * (double)schedule->tail.pieces;
    field_set(record, "tail_panels", json_integer((json_int_t)schedule->tail.panels));
    field_set(record, "pieces", json_integer((json_int_t)schedule->tail.pieces));
    field_set(record, "piece_bytes", json_integer((json_int_t)(schedule->tail.units_per_piece * unit_bytes)));
    field_set(record, "pieces_drawn", numbers(drawn, schedule->members));
}

/** A member's own bandwidth, or that of the first of its kind and speed; NaN where it was not measured. */
static double alone(const struct cells *cells, const struct cell *cell, const struct product_schedule_subject *subject,
                    unsigned member)
{
    const struct product_schedule *schedule = subject->schedule;
    double speed = schedule->speed[member];
    const struct cell *of = subject->alone(cells, cell, member, speed);
    if (!of)
        of = subject->alone(cells, cell, schedule->leader[member], speed);
    return of && of->samples.count ? summary_stated(subject->bandwidth(of)) : (double)NAN;
}

/** What the members attain while all work; NaN where that was not measured. */
static double contended(const struct cells *cells, const struct cell *cell,
                        const struct product_schedule_subject *subject)
{
    const struct cell *of = subject->contended ? subject->contended(cells, cell) : NULL;
    return of && of->samples.count ? summary_stated(subject->bandwidth(of)) : (double)NAN;
}

/** Of what the members attain while all work: what the schedule itself loses is what is missing from 1. */
static void set_of_contended(json_t *record, const struct cells *cells, const struct cell *cell,
                             const struct product_schedule_subject *subject)
{
    double most = contended(cells, cell, subject);
    if (subject->schedule->contended)
        return;
    field_set_number(record, "contended_bytes_per_s", most);
    field_set_number(record, "of_contended", summary_stated(subject->bandwidth(cell)) / most);
}

/**
 * Of the sum of what the members attain alone, and of that or the roof of the team beside the samples if it is less: where
 * the members share what the memory gives, no schedule reaches the sum.
 */
static void set_of_sum(json_t *record, const struct cells *cells, const struct cell *cell,
                       const struct product_schedule_subject *subject)
{
    const struct product_schedule *schedule = subject->schedule;
    double each[SESSION_CPUS_MAX] = {0}, sum = 0, attained = summary_stated(subject->bandwidth(cell));
    for (unsigned t = 0; t < schedule->members; t++)
        sum += each[t] = alone(cells, cell, subject, t);
    double roof = cell->cold ? summary_stated(roof_paired_bandwidth(cell)) : INFINITY;
    field_set(record, "alone_bytes_per_s", numbers(each, schedule->members));
    field_set_number(record, "sum_bytes_per_s", sum);
    field_set_number(record, "of_sum", attained / sum);
    field_set_number(record, "of_attainable", isfinite(sum) && !isnan(roof) ? attained / fmin(sum, roof) : (double)NAN);
    if (isnan(sum))
        field_set(record, "sum_bytes_per_s_reason",
                  json_string("not every kind of member was measured alone, or too few of its samples were kept"));
}

void product_schedule_fields(json_t *record, const struct cell *cell, const struct product_schedule *schedule)
{
    field_set(record, "cell", json_string(cell->name));
    field_set(record, "schedule", json_string(schedule_name(schedule->kind)));
    if (schedule->contended)
        field_set(record, "contended", json_true());
    if (cell->member)
        field_set(record, "member", json_integer((json_int_t)cell->member));
    if (product_schedule_is_emulated(schedule))
        field_set(record, "emulated_speeds", numbers(schedule->speed, schedule->members));
    if (schedule->kind != SCHEDULE_STATIC)
        set_weights(record, schedule);
    if (schedule->kind == SCHEDULE_DYNAMIC)
        field_set(record, "tail_share", json_real(schedule->tail_share));
}

void product_schedule_record_of(json_t *record, const struct cells *cells, const struct cell *cell,
                                const struct product_schedule_subject *subject)
{
    const struct product_schedule *schedule = subject->schedule;
    if (!schedule)
        return;
    product_schedule_fields(record, cell, schedule);
    if (schedule->kind == SCHEDULE_DYNAMIC)
        set_tail(record, schedule, subject->unit_bytes);
    if (cell->threads > 1)
        set_of_sum(record, cells, cell, subject);
    if (cell->threads > 1 && subject->contended)
        set_of_contended(record, cells, cell, subject);
}

static const struct cell *product_alone(const struct cells *cells, const struct cell *cell, unsigned member,
                                        double speed)
{
    const struct product_cell *own = product_cell(cell);
    const struct shape shape = {.m = own->m, .k = own->k};
    return product_find_alone(cells, cell->kernel, &shape, own->tokens, member, speed, cell->cold);
}

void product_schedule_record(json_t *record, const struct cells *cells, const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    const struct kernel *kernel = cell->kernel;
    const struct product_schedule_subject subject = {
        .schedule = own->schedule,
        .alone = product_alone,
        .contended = own->tokens ? NULL : product_find_contended,
        .bandwidth = product_bandwidth,
        .unit_bytes = own->tokens ? gemm_panel_bytes(kernel, own->k) : gemv_unit_bytes(kernel, own->k),
    };
    product_schedule_record_of(record, cells, cell, &subject);
}
