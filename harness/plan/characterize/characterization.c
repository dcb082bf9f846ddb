/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/characterization.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plan/characterize/characterization_plan.h"
#include "harness/plan/characterize/pace.h"
#include "harness/plan/characterize/parts.h"
#include "harness/plan/characterize/planner.h"
#include "platforms/clock/clock.h"
#include "results/statistics/stats.h"

/* ---- before it begins ---- */

/** A run that was measured to its end is measured again as it is: its blocks have the same cells. */
static void leave_out_unmeasured(struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++)
        cells->cell[i].left_out = !cells->cell[i].samples.count;
}

static size_t count_planned(const struct cells *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++)
        count += !cells->cell[i].left_out;
    return count;
}

int characterization_choose(struct characterization *job, char *why, size_t size)
{
    struct parts parts;
    int error = parts_of(job->session, &job->cells, job->purpose, &parts);
    if (!error)
        error =
            parts_choose(&parts, &job->cells, (struct planner_budget){job->budget_s, room_for_cells(job->budget_bytes)},
                         &job->planned_sum);
    if (error == -ERANGE && job->planned_sum.seconds <= job->budget_s)
        snprintf(why, size, "%.3g MB are too small for the roofs of this machine; give at least --size=%.2f",
                 1e-6 * job->budget_bytes, ceil(1e-4 * room_budget_of(job->planned_sum.bytes)) / 100);
    else if (error == -ERANGE)
        snprintf(why, size,
                 "a budget of %.0f s is too short for the roofs of this machine; give at least --budget=%.0f",
                 job->budget_s, ceil(job->planned_sum.seconds));
    else if (error)
        snprintf(why, size, "no memory");
    parts_release(&parts);
    if (job->again)
        leave_out_unmeasured(&job->cells);
    job->planned = count_planned(&job->cells);
    return error;
}

/** Record of type "plan": what was chosen and left out, by value, in numbers; the closing record has the names. */
static json_t *plan_record(const struct characterization *job)
{
    json_t *values = json_object();
    size_t left_out = 0;
    for (size_t i = 0; i < job->cells.count; i++) {
        const struct cell *cell = &job->cells.cell[i];
        const char *value = cell->value < PURPOSE_NOT_WANTED ? job->purpose->value_name(cell->value) : "not wanted";
        json_t *of = json_object_get(values, value);
        if (!of) {
            of = json_pack("{s:i, s:i}", "chosen", 0, "left_out", 0);
            json_object_set_new(values, value, of);
        }
        json_t *count = json_object_get(of, cell->left_out ? "left_out" : "chosen");
        json_integer_set(count, json_integer_value(count) + 1);
        left_out += cell->left_out;
    }
    json_t *budget = isfinite(job->budget_s) ? json_real(job->budget_s) : json_null();
    return json_pack("{s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:f, s:f, s:o}", "type", "plan", "name", "characterize",
                     "purpose", job->purpose->name, "budget_s", budget, "kept", (json_int_t)job->purpose->kept, "cells",
                     (json_int_t)job->planned, "cells_left_out", (json_int_t)left_out, "cost_s",
                     job->planned_sum.seconds, "cost_bytes", job->planned_sum.bytes, "values", values);
}

/* ---- its end ---- */

static void count_cells(struct characterization *job)
{
    job->measured = job->failed = job->unsettled = 0;
    for (size_t i = 0; i < job->cells.count; i++) {
        const struct cell *cell = &job->cells.cell[i];
        job->measured += cell->samples.count > 0;
        job->failed += !cell->left_out && !cell->needless && !cell->samples.count;
        job->unsettled += cell->samples.count && !cell->left_out && cell_kept(cell) < STATS_KEPT_LEAST;
    }
}

/** As `kneepoint characterize` plans; NULL for another purpose, or without memory. */
static json_t *least_budgets_of(const struct characterization *job)
{
    struct parts parts = {0};
    if (job->purpose != &purpose_machine || parts_of(job->session, &job->cells, job->purpose, &parts))
        return NULL;
    json_t *least_budgets = parts_least_budgets(&parts, &job->cells, CHARACTERIZE_BUDGET_LEAST_S);
    parts_release(&parts);
    return least_budgets;
}

/** What is written whatever happened: the summaries of what was measured, and the end. */
static int finish(struct characterization *job, const struct host_disturbance *before, char *why, size_t size)
{
    char beyond[128];
    json_auto_t *least_budgets = least_budgets_of(job);
    count_cells(job);
    const struct run_end end = {
        .command = "characterize",
        .interrupted = job->interrupted,
        .seconds = job->seconds,
        .budget_s = job->budget_s,
        .budget_bytes = job->budget_bytes,
        .unreached = "it was interrupted before",
        .left_out = budget_beyond(job->budget_s, job->budget_bytes, beyond, sizeof beyond),
        .planned_s = job->planned_sum.seconds,
        .measured_s = job->measured_s,
        .least_budgets = least_budgets,
        .pace = job->pace,
        .kept_least = STATS_KEPT_LEAST,
        .plugins = &job->session->plugins,
        .before = before,
    };
    int error = run_writer_finish(&job->writer, job->session, &job->cells, &end, why, size);
    if (!error && !least_budgets && job->purpose == &purpose_machine) { /* the rest is written */
        snprintf(why, size, "no memory");
        error = -ENOMEM;
    }
    return error;
}

int characterization_run(struct characterization *job, char *why, size_t size)
{
    struct host_disturbance before = {0};
    host_disturbance_read("", &before);
    int error = run_writer_machine(&job->writer, job->session, why, size);
    if (!error)
        error = run_writer_record(&job->writer, plan_record(job), why, size);
    if (error)
        return error;
    size_t failed = 0;
    double began_s = clock_monotonic_s();
    error = scheduler_measure(job, &failed);
    job->seconds = clock_monotonic_s() - began_s;
    job->interrupted = error == -EINTR;
    if (error == -EINTR)
        error = 0;
    char unwritten[SESSION_WHY];
    int write_error = finish(job, &before, unwritten, sizeof unwritten);
    if (error || write_error)
        snprintf(why, size, "%s", error ? job->cells.cell[failed].why : unwritten);
    return error ? error : write_error;
}
