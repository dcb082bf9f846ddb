/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemv/gemv_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/product_schedule_record.h"
#include "harness/cells/product/product_summary.h"
#include "harness/cells/sync/sync.h"
#include "results/files/need.h"
#include "roofline/overlap.h"
#include "roofline/shares.h"

/* ---- the cells that the model needs ---- */

static const struct shape calibration_shape = {.m = GEMV_CALIBRATION_SIDE, .k = GEMV_CALIBRATION_SIDE, .count = 1};
static const struct shape start_shapes[2] = {
    [false] = {.m = 32, .k = 256, .count = 1}, [true] = {.m = 128, .k = 1024, .count = 1}}; /* cold */

static bool is_gemv(const struct cell *cell, const struct kernel *kernel, const struct shape *shape, unsigned threads,
                    bool cold)
{
    const struct product_cell *own = gemv_cell(cell);
    return own && !own->schedule && !own->settings.our_prefetch && cell->kernel == kernel && own->m == shape->m &&
           own->k == shape->k && cell->threads == threads && cell->cold == cold;
}

static const struct cell *find(const struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                               unsigned threads, bool cold)
{
    for (size_t i = 0; kernel && i < cells->count; i++) {
        if (is_gemv(&cells->cell[i], kernel, shape, threads, cold))
            return &cells->cell[i];
    }
    return NULL;
}

bool gemv_is_calibration(const struct cell *cell)
{
    return is_gemv(cell, cell->kernel, &calibration_shape, 1, true);
}

int gemv_add_calibration(struct cells *cells, const struct kernel *kernel)
{
    if (find(cells, kernel, &calibration_shape, 1, true) ||
        kernel_accepts(kernel, calibration_shape.m, calibration_shape.k, NULL, 0))
        return 0;
    return product_add(cells, kernel, &calibration_shape, PRODUCT_GEMV, 1, true);
}

/** Of the kernels of ours that multiply int8 weights as they are, the one of the best ISA. */
static const struct kernel *start_kernel(const struct session *session)
{
    const struct kernel *best = NULL;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        bool is_plain = (*kernel)->gemv && (*kernel)->format->bits == 8 && (*kernel)->takes == KERNEL_TAKES_INT8 &&
                        !plugins_of_kernel(&session->plugins, *kernel);
        if (is_plain && session_runs(session, (*kernel)->isa) &&
            (!best || isa_find((*kernel)->isa)->priority > isa_find(best->isa)->priority))
            best = *kernel;
    }
    return best;
}

bool gemv_is_start(const struct session *session, const struct cell *cell)
{
    return is_gemv(cell, start_kernel(session), &start_shapes[cell->cold], cell->threads, cell->cold);
}

int gemv_add_start(struct cells *cells, const struct session *session, unsigned threads, bool cold)
{
    const struct kernel *kernel = start_kernel(session);
    if (!kernel || find(cells, kernel, &start_shapes[cold], threads, cold))
        return 0;
    return product_add(cells, kernel, &start_shapes[cold], PRODUCT_GEMV, threads, cold);
}

/* ---- what was measured ---- */

/** beta of a level and team, bytes per second of the team. */
static struct graded bandwidth_of(const struct cells *cells, const char *level, unsigned threads)
{
    const struct cell *roof = beta_roof(cells, level, threads);
    return roof ? beta_bandwidth(roof) : (struct graded){.grade = "wall"};
}

/** What a team reads of a cell's level, bytes per second: of memory, where it is known, about when the cell was measured. */
static double shared_bandwidth(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    if (cell->cold && cell->roof_local_bytes_per_s > 0)
        return cell->roof_local_bytes_per_s;
    return summary_stated(bandwidth_of(cells, product_level(session, cell), cell->threads));
}

/** The same of one core alone. */
static double alone_bandwidth(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    return cell->threads == 1 ? shared_bandwidth(session, cells, cell)
                              : summary_stated(bandwidth_of(cells, product_level(session, cell), 1));
}

double gemv_start_time(const struct session *session, const struct cells *cells, unsigned threads, bool cold)
{
    const struct cell *cell = find(cells, start_kernel(session), &start_shapes[cold], threads, cold);
    if (!cell)
        return NAN;
    double reading_s = product_packed_bytes(cell) / shared_bandwidth(session, cells, cell);
    double start_s = summary_stated(summary_time(cell)) - (cold ? reading_s : 0);
    return start_s < 0 ? 0 : start_s;
}

/**
 * Seconds in which the slowest kind of core in the team up-converts an equal share of the vectors. The clock of a
 * sample is a mean over the team, so where there are several kinds each has that of its own gammas.
 */
static double compute_time(const struct cells *cells, const struct cell *cell, double core_hz, unsigned *accumulators)
{
    const char *name = kernel_gamma(cell->kernel);
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
    return vector_s * product_vectors(cell) / cell->threads;
}

/* ---- omega ---- */

static struct overlap_measured measured(const struct summary *summary)
{
    return (struct overlap_measured){summary->median, {summary->ci95[0], summary->ci95[1]}};
}

/** The gamma that a kernel is predicted from. */
static struct graded gamma_of(const struct cells *cells, const struct kernel *kernel, unsigned *accumulators)
{
    const char *name = kernel_gamma(kernel);
    double best = gamma_best(cells, name, accumulators);
    for (size_t i = 0; isfinite(best) && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (gamma_cell(cell) && cell->member == 0 && strcmp(cell->sequence->name, name) == 0 &&
            gamma_cell(cell)->variant->accumulators == *accumulators)
            return gamma_summary(cell);
    }
    return (struct graded){.grade = "wall"};
}

static bool is_stated(struct graded quantity)
{
    return isfinite(summary_stated(quantity));
}

/** Why there is no omega; NULL: all that it is made of is there. */
static const char *missing(const struct cells *cells, const struct kernel *kernel, const struct cell *cell,
                           struct graded beta)
{
    const char *gamma = gamma_missing(cells, kernel_gamma(kernel));
    if (gamma && !sequence_find(kernel_gamma(kernel)))
        return gamma;
    if (!cell || !cell->samples.count)
        return "its calibration cell, 4096x4096 cold with one thread, was not measured";
    if (!is_stated(summary_time(cell)))
        return "too few samples of its calibration cell were kept";
    if (!is_stated(beta))
        return "beta of one thread was not measured, or too few of its samples were kept";
    return gamma;
}

static const char *worse_grade(const char *one, const char *other)
{
    static const char *const ascending[] = {"wall", "chain", "pmu"};
    for (size_t i = 0; i < sizeof ascending / sizeof *ascending; i++) {
        if (strcmp(one, ascending[i]) == 0 || strcmp(other, ascending[i]) == 0)
            return ascending[i];
    }
    return one;
}

/** Each time of the calibration cell is a value; a longer time is a smaller omega. */
static struct summary omega_summary(const struct summary *time, const struct overlap_fit *fit, double lesser_s)
{
    return (struct summary){.median = fit->omega,
                            .min = fit->omega - (time->max - time->median) / lesser_s,
                            .max = fit->omega + (time->median - time->min) / lesser_s,
                            .mad = time->mad / lesser_s,
                            .ci95 = {fit->range.low, fit->range.high},
                            .n = time->n,
                            .rejected = time->rejected};
}

/** beta beside the calibration cell, which is not held out; else that of the run. */
static struct graded calibration_bandwidth(const struct cells *cells, const struct cell *cell)
{
    struct graded beside = {.grade = "wall"};
    if (cell && summary_roof_pairs(cell))
        beside = roof_paired_bandwidth(cell);
    return is_stated(beside) ? beside : bandwidth_of(cells, "memory", 1);
}

struct gemv_omega gemv_omega(const struct session *session, const struct cells *cells, const struct kernel *kernel)
{
    struct gemv_omega omega = {.quantity = {.grade = "wall"}};
    const struct cell *cell = find(cells, kernel, &calibration_shape, 1, true);
    struct graded beta = calibration_bandwidth(cells, cell), gamma = gamma_of(cells, kernel, &omega.accumulators);
    omega.why = missing(cells, kernel, cell, beta);
    if (omega.why)
        return omega;
    struct graded clock = summary_clock(cell), time = summary_time(cell);
    double start_s = gemv_start_time(session, cells, 1, true), cycle_s = 1 / summary_stated(clock);
    omega.start_s = isfinite(start_s) ? start_s : 0;
    struct overlap_measured memory = overlap_over(product_packed_bytes(cell), measured(&beta.summary));
    struct overlap_measured compute = overlap_times(measured(&gamma.summary), product_vectors(cell) * cycle_s);
    struct overlap_measured net = measured(&time.summary);
    net.value -= omega.start_s;
    net.range.low -= omega.start_s;
    net.range.high -= omega.start_s;
    struct overlap_fit fit = overlap_fit(net, memory, compute);
    omega.time_s = time.summary.median;
    omega.gamma = gamma.summary.median;
    omega.memory_s = memory.value;
    omega.compute_s = compute.value;
    if (!isfinite(fit.omega) || !isfinite(fit.range.low)) {
        omega.why = "one of reading and computing takes under 2% of the other";
        return omega;
    }
    omega.quantity.summary = omega_summary(&time.summary, &fit, fmin(memory.value, compute.value));
    omega.quantity.grade = worse_grade(gamma.grade, clock.grade);
    return omega;
}

/* ---- predictions ---- */

/**
 * e_bw x clock of a member while the others read no more than they can: bytes per second of what it reads alone or
 * up-converts, whichever is less, at its speed.
 */
static double rate_of(const struct cells *cells, const struct cell *cell, unsigned member, double alone_bytes_per_s)
{
    const char *name = kernel_gamma(cell->kernel);
    unsigned leader = gemv_cell(cell)->schedule->leader[member];
    double gamma = gamma_best_on(cells, name, leader, NULL);
    double hz = leader ? gamma_clock(cells, leader) : summary_stated(summary_clock(cell));
    double computed = product_packed_bytes(cell) / (product_vectors(cell) * gamma / hz);
    return fmin(alone_bytes_per_s, computed) * gemv_cell(cell)->schedule->speed[member];
}

/** Seconds of a schedule, its start not among them: no less than the team's roof takes for all bytes. */
static double scheduled_time(const struct cells *cells, const struct cell *cell, double shared_s,
                             double alone_bytes_per_s)
{
    const struct product_schedule *schedule = gemv_cell(cell)->schedule;
    double *rate = need(schedule->members, sizeof *rate), bytes = product_packed_bytes(cell);
    for (unsigned t = 0; rate && t < schedule->members; t++)
        rate[t] = rate_of(cells, cell, t, alone_bytes_per_s);
    const struct shares_team team = {rate, schedule->weight, schedule->members};
    size_t panels = format_panels(cell->kernel->format, gemv_cell(cell)->m);
    size_t tail_panels = schedule->kind == SCHEDULE_DYNAMIC ? schedule_tail_panels(schedule->tail_share, panels) : 0;
    double seconds =
        rate ? shares_seconds_with_tail(&team, bytes, bytes * (double)tail_panels / (double)panels) : (double)NAN;
    free(rate);
    return isfinite(seconds) && isfinite(shared_s) ? fmax(seconds, shared_s) : (double)NAN;
}

/** Of cells with a schedule there is the maximum alone: omega is of equal shares. */
static struct gemv_model scheduled_model(const struct cells *cells, const struct cell *cell, struct gemv_model model,
                                         double alone_bytes_per_s)
{
    model.max_s = scheduled_time(cells, cell, model.shared_s, alone_bytes_per_s) + model.start_s;
    model.overlap_s = model.serial_s = model.compute_s = model.memory_s = model.omega = NAN;
    model.why = isnan(model.max_s) ? "beta of its level and team, gamma, the clock or the start of a call was not "
                                     "measured often enough"
                                   : "omega applies only to equal shares in a team of one kind of core";
    return model;
}

/** Of a cell that may have no samples. */
static struct gemv_model model_at(const struct session *session, const struct cells *cells, const struct cell *cell,
                                  double clock_hz)
{
    double bytes = product_packed_bytes(cell), alone = alone_bandwidth(session, cells, cell);
    struct gemv_model model = {.sync_s = sync_time(cells, cell->threads)};
    struct gemv_omega omega = gemv_omega(session, cells, cell->kernel);
    model.compute_s = compute_time(cells, cell, clock_hz, &model.accumulators);
    model.gamma = gamma_best(cells, kernel_gamma(cell->kernel), &model.accumulators);
    model.shared_s = bytes / shared_bandwidth(session, cells, cell);
    model.memory_s = bytes / cell->threads / alone;
    model.start_s = gemv_start_time(session, cells, cell->threads, cell->cold);
    if (isnan(model.start_s))
        model.start_s = model.sync_s;
    if (gemv_cell(cell)->schedule)
        return scheduled_model(cells, cell, model, alone);
    model.omega = omega.why ? NAN : omega.quantity.summary.median;
    model.max_s = model.serial_s = NAN;
    if (isfinite(model.shared_s) && isfinite(model.compute_s)) {
        model.max_s = fmax(model.shared_s, model.compute_s) + model.start_s;
        model.serial_s = model.shared_s + model.compute_s + model.start_s;
    }
    model.overlap_s =
        overlap_team_time(cell->threads, model.shared_s, model.memory_s, model.compute_s, model.omega) + model.start_s;
    model.why = omega.why               ? omega.why
                : isnan(model.max_s)    ? "beta of its level and team, gamma or the clock was not measured often enough"
                : isnan(model.memory_s) ? "beta of its level with one thread was not measured often enough"
                : isnan(model.overlap_s) ? "the barrier of its team was not measured often enough"
                                         : NULL;
    return model;
}

struct gemv_model gemv_model(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    return model_at(session, cells, cell, summary_stated(summary_clock(cell)));
}

struct gemv_model gemv_model_of(const struct session *session, const struct cells *cells,
                                const struct product_work *work, double clock_hz)
{
    struct product_cell own = {.m = work->m, .k = work->k};
    const struct cell cell = {
        .kind = &cell_kind_gemv, .kernel = work->kernel, .threads = work->threads, .cold = work->cold, .own = &own};
    return model_at(session, cells, &cell, clock_hz);
}

/* ---- its record ---- */

json_t *gemv_omega_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    if (!gemv_is_calibration(cell))
        return NULL;
    const struct kernel *kernel = cell->kernel;
    const struct product_cell *own = gemv_cell(cell);
    struct gemv_omega omega = gemv_omega(session, cells, kernel);
    json_t *record = product_record_named("omega", cell);
    field_set(record, "m", json_integer((json_int_t)own->m));
    field_set(record, "k", json_integer((json_int_t)own->k));
    field_set(record, "threads", json_integer(1));
    field_set(record, "protocol", json_string("cold"));
    field_set_number(record, "bytes_per_vector", product_packed_bytes(cell) / product_vectors(cell));
    if (omega.why) {
        field_set(record, "omega", json_null());
        field_set(record, "omega_reason", json_string(omega.why));
    } else {
        field_set_quantity(record, "omega", omega.quantity, "1");
    }
    char used[160];
    snprintf(used, sizeof used, "%s@%u", kernel_gamma(kernel), omega.accumulators);
    field_set(record, "gamma_used", omega.why ? json_null() : json_string(used));
    field_set_number(record, "time_s", omega.why ? NAN : omega.time_s);
    field_set_number(record, "core_read_s", omega.why ? NAN : omega.memory_s);
    field_set_number(record, "compute_s", omega.why ? NAN : omega.compute_s);
    field_set_number(record, "start_s", omega.why ? NAN : omega.start_s);
    return record;
}
