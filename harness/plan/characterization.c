/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterization.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/gamma.h"
#include "harness/cells/gemv.h"
#include "harness/cells/knee.h"
#include "harness/cells/prepare.h"
#include "harness/plan/characterization_plan.h"
#include "harness/cells/knee_rounds.h"
#include "harness/cells/beta.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/gamma.h"
#include "harness/plan/protocol.h"
#include "platforms/clock.h"

/** What the cells of a kind get: so much of the budget at most, so that the GEMVs get theirs however slow the machine.
 */
struct share {
    double of_budget;
    struct effort effort;
};

/**
 * Roofs and streams have ways of their own to be measured, and GEMVs take what is left. Cells of gamma without enough
 * samples are visited again between the rounds of those. Validating the knee goes on after each of those rounds, since
 * what was rejected in one minute is kept in another, and takes half of what is left of its share at a time.
 */
enum { SYNC, GAMMA, PREPARE, BETA, KNEE, GEMV };
static const struct share shares[] = {
    [SYNC] = {.of_budget = 1, .effort = {.rounds = 3, .samples = 10}},
    [GAMMA] = {.of_budget = 0.25, .effort = {.rounds = 0}},
    [PREPARE] = {.of_budget = 0.1, .effort = {.rounds = 3, .samples = 10}},
    [BETA] = {.of_budget = 0.3},
    [KNEE] = {.of_budget = 0.12},
    [GEMV] = {.of_budget = 1, .effort = {.rounds = 1, .samples = 5}},
};

/** Rounds in which a tier is seen for the first time: the reference shape is what kernels are held against each other
 * on. */
static const unsigned first_rounds[TIERS] = {[TIER_REFERENCE] = 3, [TIER_MAIN_PAPER] = 1, [TIER_PAPERS] = 1};

/** Samples of gamma with agreeing clocks to wait for, and how long after each round of the GEMVs. */
enum { GAMMA_SETTLED = 12, GAMMA_PATIENCE_S = 2 };

struct part {
    struct characterization *job;
    double started_s;
};

static void keep_samples(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    run_writer_visited(&((struct part *)context)->job->writer, cell, first, roof_first);
}

static void tell(void *context, double fraction, const char *now)
{
    struct part *part = context;
    (void)fraction;
    double elapsed = clock_monotonic_s() - part->started_s;
    if (part->job->progress)
        part->job->progress(part->job->context, elapsed / part->job->budget_s, part->job->budget_s - elapsed, now);
}

/** Range of cells of a kind (and, for beta, level and team; for gemv, tier) beginning at first. */
static size_t end_of_group(const struct cells *cells, size_t first)
{
    const struct cell *head = &cells->cell[first];
    size_t end = first + 1;
    while (end < cells->count && cells->cell[end].kind == head->kind &&
           (!head->kind->together || head->kind->together(head, &cells->cell[end])))
        end++;
    return end;
}

/** Range of the cells of a kind; false if there are none. */
static bool find_group(const struct cells *cells, const struct cell_kind *kind, size_t *first, size_t *end)
{
    *first = 0;
    while (*first < cells->count && cells->cell[*first].kind != kind)
        (*first)++;
    *end = *first < cells->count ? end_of_group(cells, *first) : *first;
    return *first < *end;
}

static int settle_gamma(struct characterization *job, const struct execution *execution, size_t *failed)
{
    size_t first, end;
    if (!find_group(&job->cells, &cell_kind_gamma, &first, &end))
        return 0;
    return cells_settle(job->session, &job->cells, first, end, GAMMA_SETTLED, GAMMA_PATIENCE_S, execution, failed);
}

/** Validate the knee, or go on with it, within its share; what it leaves out is not missed by what comes after. */
static int validate_knee(struct characterization *job, const struct execution *execution, size_t *failed)
{
    size_t first, end;
    if (!find_group(&job->cells, &cell_kind_knee, &first, &end))
        return 0;
    double begin_s = clock_monotonic_s(), left_s = shares[KNEE].of_budget * job->budget_s - job->knee_s;
    struct execution own = execution_within(execution, left_s / 2);
    int error = knee_measure(job->session, &job->cells, first, end, 0, &own, failed);
    job->knee_s += clock_monotonic_s() - begin_s;
    return execution_of_part(error, &own, execution);
}

/** A roof, with up to twice its part of what is left of the share of all of them. */
static int find_roof(struct characterization *job, size_t first, size_t end, const struct execution *execution,
                     size_t *failed)
{
    const struct cells *cells = &job->cells;
    unsigned groups = 0;
    for (size_t at = first; at < cells->count && beta_cell(&cells->cell[at]); at = end_of_group(cells, at))
        groups++;
    double begin_s = clock_monotonic_s();
    struct execution own =
        execution_within(execution, 2 * (shares[BETA].of_budget * job->budget_s - job->beta_s) / groups);
    int error = beta_find_roof(job->session, &job->cells, first, end, &own, failed);
    job->beta_s += clock_monotonic_s() - begin_s;
    return execution_of_part(error, &own, execution);
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

/** A few samples of every GEMV, and what has waited for a quieter moment. */
static int gemv_rounds(struct characterization *job, size_t first, size_t end, unsigned rounds,
                       const struct execution *execution, size_t *failed)
{
    struct effort effort = shares[GEMV].effort;
    effort.rounds = rounds;
    int error = protocol_measure(job->session, &job->cells, first, end, &effort, execution, failed);
    if (!error)
        error = settle_gamma(job, execution, failed);
    return error ? error : validate_knee(job, execution, failed);
}

/** Cells with nothing to them but their share and effort. */
static int measure_share(struct characterization *job, size_t first, size_t end, const struct execution *execution,
                         size_t *failed)
{
    const struct share *share = &shares[gamma_cell(&job->cells.cell[first])     ? GAMMA
                                         : prepare_cell(&job->cells.cell[first]) ? PREPARE
                                                                                      : SYNC];
    struct execution own = execution_within(execution, share->of_budget * job->budget_s);
    int error = protocol_measure(job->session, &job->cells, first, end, &share->effort, &own, failed);
    return execution_of_part(error, &own, execution);
}

static int run_group(struct characterization *job, size_t first, size_t end, const struct execution *execution,
                     size_t *failed)
{
    const struct cell *head = &job->cells.cell[first];
    if (beta_cell(head))
        return find_roof(job, first, end, execution, failed);
    if (knee_cell(head))
        return validate_knee(job, execution, failed);
    if (gemv_cell(head))
        return gemv_rounds(job, first, end, first_rounds[gemv_cell(head)->tier], execution, failed);
    return measure_share(job, first, end, execution, failed);
}

/** More rounds of all GEMVs until the budget is used up. */
static int repeat_gemv(struct characterization *job, const struct execution *execution, size_t *failed)
{
    const struct cells *cells = &job->cells;
    size_t first = 0;
    while (first < cells->count && !gemv_cell(&cells->cell[first]))
        first++;
    int error = 0;
    while (!error && anything_left(cells, first, cells->count))
        error = gemv_rounds(job, first, cells->count, 1, execution, failed);
    return error;
}

/** What is written whatever happened: the summaries of what was measured, and the end. */
static int finish(struct characterization *job, const struct host_disturbance *before, char *why, size_t size)
{
    knee_say_why(&job->cells);
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

/** Every group of the plan in order, then the GEMVs again and again. @return as cells_visit */
static int measure(struct characterization *job, const struct execution *execution, size_t *failed)
{
    int error = 0;
    for (size_t first = 0; !error && first < job->cells.count;) {
        size_t end = end_of_group(&job->cells, first);
        error = run_group(job, first, end, execution, failed);
        first = end;
    }
    return error ? error : repeat_gemv(job, execution, failed);
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
                                  .progress = tell,
                                  .context = &part};
    int error = run_writer_machine(&job->writer, job->session, why, size);
    if (error)
        return error;
    size_t failed = 0;
    error = measure(job, &execution, &failed);
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
