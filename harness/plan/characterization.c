/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterization.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/plan/protocol.h"
#include "platforms/clock.h"

/** Kinds of cells that are told apart in what they took of the budget. */
enum { KINDS_MOST = 64 };

struct part {
    struct characterization *job;
    double started_s;
    double spent_s[KINDS_MOST]; /* by kind */
};

static void keep_samples(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    run_writer_visited(&((struct part *)context)->job->writer, cell, first, roof_first);
}

static void pass_progress_on(void *context, double fraction, const char *now)
{
    struct part *part = context;
    (void)fraction;
    double elapsed = clock_monotonic_s() - part->started_s;
    if (part->job->progress)
        part->job->progress(part->job->context, elapsed / part->job->budget_s, part->job->budget_s - elapsed, now);
}

/** What a kind has taken so far. */
static double *spent(struct part *part, const struct cell_kind *kind)
{
    size_t place = 0;
    while (cell_kind_all()[place] != kind)
        place++;
    return &part->spent_s[place < KINDS_MOST ? place : KINDS_MOST - 1];
}

/** End of the cells that are carried out together with the first. */
static size_t end_of_group(const struct cells *cells, size_t first)
{
    const struct cell *head = &cells->cell[first];
    size_t end = first + 1;
    while (end < cells->count && cells->cell[end].kind == head->kind &&
           (!head->kind->together || head->kind->together(head, &cells->cell[end])))
        end++;
    return end;
}

/** First cell of a kind; the count if there is none. */
static size_t first_of_kind(const struct cells *cells, const struct cell_kind *kind)
{
    size_t first = 0;
    while (first < cells->count && cells->cell[first].kind != kind)
        first++;
    return first;
}

/** Groups of the kind of a cell, from that cell on. */
static unsigned groups_from(const struct cells *cells, size_t first)
{
    const struct cell_kind *kind = cells->cell[first].kind;
    unsigned groups = 0;
    for (size_t at = first; at < cells->count && cells->cell[at].kind == kind; at = end_of_group(cells, at))
        groups++;
    return groups;
}

/** Seconds that a group gets: its part of what is left of the share of its kind. */
static double seconds_of(struct part *part, size_t first)
{
    const struct cells *cells = &part->job->cells;
    const struct cell_kind *kind = cells->cell[first].kind;
    double left_s = kind->share.of_budget * part->job->budget_s - *spent(part, kind);
    return (kind->share.of_group > 0 ? kind->share.of_group : 1) * left_s / groups_from(cells, first);
}

static int carry_out(struct characterization *job, size_t first, size_t end, const struct execution *execution,
                     size_t *failed)
{
    const struct cell_kind *kind = job->cells.cell[first].kind;
    struct effort effort = {.rounds = kind->share.effort.rounds, .samples = kind->share.effort.samples};
    return kind->carry_out ? kind->carry_out(job->session, &job->cells, first, end, execution, failed)
                           : protocol_measure(job->session, &job->cells, first, end, &effort, execution, failed);
}

/** A group, or more of it, within its share; what it leaves out is not missed by what comes after. */
static int measure_group(struct part *part, size_t first, const struct execution *execution, size_t *failed)
{
    const struct cells *cells = &part->job->cells;
    const struct cell_kind *kind = cells->cell[first].kind;
    size_t end = end_of_group(cells, first);
    if (kind->share.of_budget <= 0)
        return carry_out(part->job, first, end, execution, failed);
    struct execution own = execution_within(execution, seconds_of(part, first));
    double begin_s = clock_monotonic_s();
    int error = carry_out(part->job, first, end, &own, failed);
    *spent(part, kind) += clock_monotonic_s() - begin_s;
    return execution_of_part(error, &own, execution);
}

/** Every group of a kind. */
static int measure_kind(struct part *part, const struct cell_kind *kind, const struct execution *execution,
                        size_t *failed)
{
    const struct cells *cells = &part->job->cells;
    int error = 0;
    for (size_t at = first_of_kind(cells, kind); !error && at < cells->count && cells->cell[at].kind == kind;
         at = end_of_group(cells, at))
        error = measure_group(part, at, execution, failed);
    return error;
}

/** Visit those again that have too few samples, with the patience of their kind. */
static int settle_kind(struct characterization *job, const struct cell_kind *kind, const struct execution *execution,
                       size_t *failed)
{
    const struct effort *effort = &kind->share.effort;
    size_t first = first_of_kind(&job->cells, kind), end = first;
    while (end < job->cells.count && job->cells.cell[end].kind == kind)
        end++;
    return cells_settle(job->session, &job->cells, first, end, effort->settled, effort->patience_s, execution, failed);
}

/** What has waited for a quieter moment, after a round of a last kind. */
static int measure_between(struct part *part, const struct execution *execution, size_t *failed)
{
    int error = 0;
    for (const struct cell_kind *kind = cell_kind_after(NULL); !error && kind; kind = cell_kind_after(kind)) {
        if (kind->share.effort.patience_s > 0)
            error = settle_kind(part->job, kind, execution, failed);
        if (!error && kind->share.goes_on)
            error = measure_kind(part, kind, execution, failed);
    }
    return error;
}

/** Whether any cell of [first, end) can still be measured. */
static bool anything_left(const struct cells *cells, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (!cells->cell[i].why[0])
            return true;
    }
    return false;
}

/** Round after round of the last kinds until the budget is used up. */
static int measure_to_the_end(struct part *part, const struct execution *execution, size_t *failed)
{
    struct characterization *job = part->job;
    size_t first = 0, end = job->cells.count;
    while (first < end && !job->cells.cell[first].kind->share.last)
        first++;
    int error = 0;
    while (!error && anything_left(&job->cells, first, end)) {
        const struct effort *effort = &job->cells.cell[first].kind->share.effort;
        error = cells_visit(job->session, &job->cells, first, end, 1, effort->samples, execution, failed);
        if (!error)
            error = measure_between(part, execution, failed);
    }
    return error;
}

/** What is written whatever happened: the summaries of what was measured, and the end. */
static int finish(struct characterization *job, const struct host_disturbance *before, char *why, size_t size)
{
    job->skipped = end_skipped(&job->cells);
    const struct run_end end = {
        .command = "characterize",
        .interrupted = job->interrupted,
        .seconds = job->seconds,
        .budget_s = job->budget_s,
        .unreached = "the budget was used up",
        .plugins = &job->session->plugins,
        .before = before,
    };
    return run_writer_finish(&job->writer, job->session, &job->cells, &end, why, size);
}

/** Every group of the plan in order, then the last kinds again and again. @return as cells_visit */
static int measure(struct part *part, const struct execution *execution, size_t *failed)
{
    const struct cells *cells = &part->job->cells;
    int error = 0;
    for (size_t at = 0; !error && at < cells->count; at = end_of_group(cells, at)) {
        error = measure_group(part, at, execution, failed);
        if (!error && cells->cell[at].kind->share.last)
            error = measure_between(part, execution, failed);
    }
    return error ? error : measure_to_the_end(part, execution, failed);
}

int characterization_run(struct characterization *job, char *why, size_t size)
{
    struct host_disturbance before = {0};
    host_disturbance_read("", &before);
    struct part part = {.job = job, .started_s = clock_monotonic_s()};
    struct execution execution = {.deadline_s = part.started_s + job->budget_s,
                                  .stop = job->stop,
                                  .keep_going = true,
                                  .visited = keep_samples,
                                  .progress = pass_progress_on,
                                  .context = &part};
    int error = run_writer_machine(&job->writer, job->session, why, size);
    if (error)
        return error;
    size_t failed = 0;
    error = measure(&part, &execution, &failed);
    job->seconds = clock_monotonic_s() - part.started_s;
    job->interrupted = error == -EINTR;
    if (error == -EINTR || error == -ETIME)
        error = 0;
    char unwritten[SESSION_WHY];
    int write_error = finish(job, &before, unwritten, sizeof unwritten);
    if (error || write_error)
        snprintf(why, size, "%s", error ? job->cells.cell[failed].why : unwritten);
    return error ? error : write_error;
}
