/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterization.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/plan/plan_knee.h"
#include "harness/plan/plan_roof.h"
#include "harness/plan/plan_rounds.h"
#include "harness/plan/plan_settle.h"
#include "harness/plan/plan_shapes.h"
#include "harness/user/plugin_try.h"
#include "platforms/clock.h"

/** The shape on which every ISA's variant of a kernel runs; elsewhere only the best one of a sequence does. */
enum { REFERENCE_SIDE = 4096, PREPARE_K = 4096 };

/** Samples of gamma with agreeing clocks to wait for, and how long after each round of the GEMVs. */
enum { GAMMA_SETTLED = 12, GAMMA_PATIENCE_S = 2 };

/**
 * Most of the budget that the roofs, gamma and the preparation of activations may take, so that the GEMVs get theirs
 * however slow the machine is. Cells of gamma without enough samples are visited again between the rounds of those.
 */
static const double BETA_SHARE = 0.3, GAMMA_SHARE = 0.25, PREPARE_SHARE = 0.1;

/**
 * Most of the budget that validating the knee may take. It goes on after each round of the GEMVs, since what was
 * rejected in one minute is kept in another, and takes half of what is left of its share at a time.
 */
static const double KNEE_SHARE = 0.12;

/* ---- the plan ---- */

/** Whether another runnable kernel of the same format and sequence has a better ISA. */
static bool is_best_variant(const struct session *session, const struct kernel *kernel)
{
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format == kernel->format && strcmp((*other)->sequence, kernel->sequence) == 0 &&
            session_runs(session, (*other)->isa) && isa_find((*other)->isa)->priority > isa_find(kernel->isa)->priority)
            return false;
    }
    return true;
}

static const char main_paper[] = "envelope", over_threads[] = "over threads";

/**
 * Tiers of GEMV cells: every kernel on the reference shape; then the formats and shapes of the paper behind the model,
 * all teams, cold and warm; then those of the other papers, cold, with the widest team or where the paper varies the
 * threads with all.
 */
enum tier { TIER_REFERENCE, TIER_MAIN_PAPER, TIER_PAPERS, TIERS };

/** Rounds in which a tier is seen for the first time: the reference shape is what kernels are held against each other
 * on. */
static const unsigned first_rounds[TIERS] = {3, 1, 1};

/** Whether real numbers of 16 bits: what models are published in, and what every paper's formats are compared with. */
static bool is_baseline(const struct format *format)
{
    return format->weight_min == 0 && format->weight_max == 0 && format->bits == 16;
}

/**
 * Whether the paper is the origin of a kernel of this format; formats that are all ours belong to the main paper, and
 * so do kernels of plug-ins, which change nothing for others of their format.
 */
static bool is_of_paper(const struct session *session, const struct kernel *kernel, const char *paper)
{
    bool ours_alone = true;
    if (plugins_of_kernel(&session->plugins, kernel))
        return strcmp(paper, main_paper) == 0;
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format != kernel->format || strcmp((*other)->origin, "kneepoint") == 0 ||
            plugins_of_kernel(&session->plugins, *other))
            continue;
        ours_alone = false;
        if (strcmp((*other)->origin, paper) == 0)
            return true;
    }
    return ours_alone && strcmp(paper, main_paper) == 0;
}

/** Whether a paper that times the shape is the origin of a kernel of this format. */
static bool is_timed(const struct kernel *kernel, const struct shape *shape)
{
    if (is_baseline(kernel->format))
        return shape->timed_by[0];
    for (const struct kernel *const *other = kernel_all(); *other; other++) {
        if ((*other)->format == kernel->format && shape_is_timed_by(shape, (*other)->origin))
            return true;
    }
    return false;
}

/** The tier of a kernel on a shape; TIERS if it does not run on it. */
static enum tier tier_of(const struct characterization *job, const struct kernel *kernel, const struct shape *shape)
{
    char why[160];
    if (!session_runs(job->session, kernel->isa) || format_accepts(kernel->format, shape->m, shape->k, why, sizeof why))
        return TIERS;
    if (shape->m == REFERENCE_SIDE && shape->k == REFERENCE_SIDE)
        return TIER_REFERENCE;
    if (!is_best_variant(job->session, kernel))
        return TIERS;
    if (shape_is_timed_by(shape, main_paper) && is_of_paper(job->session, kernel, main_paper))
        return TIER_MAIN_PAPER;
    return is_timed(kernel, shape) ? TIER_PAPERS : TIERS;
}

static int add_operands(struct characterization *job, const struct shape *shape)
{
    int error = 0;
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
        if (tier_of(job, *kernel, shape) < TIERS)
            error = plan_add_operand(&job->plan, job->session, *kernel, shape->k);
    }
    return error;
}

struct named_shape {
    const struct shape *shape;
    const char *models, *roles;
};

static int add_gemv(struct characterization *job, const struct kernel *kernel, const struct named_shape *named,
                    enum tier tier, unsigned threads, bool cold)
{
    if (plan_add_gemv(&job->plan, kernel, named->shape, threads, cold))
        return -ENOMEM;
    struct cell *cell = &job->plan.cells.cell[job->plan.cells.count - 1];
    cell->tier = tier;
    snprintf(cell->models, sizeof cell->models, "%s", named->models);
    snprintf(cell->roles, sizeof cell->roles, "%s", named->roles);
    return 0;
}

static int add_gemv_shape(struct characterization *job, const struct named_shape *named, enum tier tier,
                          const unsigned *sizes, size_t teams)
{
    int error = 0;
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
        if (tier_of(job, *kernel, named->shape) != tier)
            continue;
        bool all_teams = tier != TIER_PAPERS || strstr(named->shape->timed_by, over_threads);
        for (size_t t = all_teams ? 0 : teams - 1; !error && t < teams; t++) {
            error = add_gemv(job, *kernel, named, tier, sizes[t], true);
            if (!error && tier != TIER_PAPERS)
                error = add_gemv(job, *kernel, named, tier, sizes[t], false);
        }
    }
    return error;
}

static int add_knees(struct characterization *job, const unsigned *sizes, size_t teams)
{
    const char *levels[SESSION_LEVELS];
    size_t count = 0;
    int error = 0;
    for (size_t i = 0; i < SESSION_LEVELS; i++) {
        if (session_has_level(job->session, session_levels[i]))
            levels[count++] = session_levels[i];
    }
    for (const struct sequence *const *sequence = sequence_all(); !error && *sequence; sequence++) {
        if (session_runs(job->session, (*sequence)->isa))
            error = plan_add_knee(&job->plan, *sequence, levels, count, sizes, teams);
    }
    return error;
}

static bool is_planned(const void *context, const struct kernel *kernel, const struct shape *shape)
{
    return tier_of(context, kernel, shape) < TIERS;
}

int characterization_plan(struct characterization *job)
{
    unsigned sizes[16];
    size_t teams = plan_team_sizes(job->session->threads, sizes);
    struct shape shapes[SHAPES_MAX];
    static char models[SHAPES_MAX][CELL_NAMES], roles[SHAPES_MAX][CELL_NAMES];
    size_t count = plan_distinct_shapes(shapes, SHAPES_MAX, models, roles);
    char why[SESSION_WHY];
    int error = 0;
    for (size_t i = 0; !error && i < count; i++)
        error = plugin_try_all(job->session, &shapes[i], sizes, teams, is_planned, job, why, sizeof why);
    for (size_t t = 0; !error && t < teams; t++)
        error = plan_add_sync(&job->plan, sizes[t]);
    for (const struct sequence *const *sequence = sequence_all(); !error && *sequence; sequence++) {
        if (session_runs(job->session, (*sequence)->isa))
            error = plan_add_gamma_of_kinds(&job->plan, job->session, *sequence);
    }
    if (!error)
        error = plan_add_prepare(&job->plan, job->session, PREPARE_K);
    for (size_t i = 0; !error && i < count; i++)
        error = add_operands(job, &shapes[i]);
    for (size_t level = 0; level < SESSION_LEVELS; level++) {
        const char *name = session_levels[level];
        if (!session_has_level(job->session, name))
            continue;
        for (size_t t = 0; !error && t < teams; t++)
            error = plan_add_beta(&job->plan, job->session, name, sizes[t]);
    }
    if (!error)
        error = add_knees(job, sizes, teams);
    for (size_t i = 0; !error && i < TIERS * count; i++) {
        struct named_shape named = {&shapes[i % count], models[i % count], roles[i % count]};
        error = add_gemv_shape(job, &named, (enum tier)(i / count), sizes, teams);
    }
    return error;
}

/* ---- carrying it out ---- */

struct part {
    struct characterization *job;
    double begin_s, end_s; /* share of the budget, in seconds since the start */
    double started_s;      /* of the whole job */
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
    while (end < cells->count && cells->cell[end].kind == head->kind && cells->cell[end].tier == head->tier &&
           (head->kind != CELL_BETA ||
            (cells->cell[end].threads == head->threads && strcmp(cells->cell[end].level, head->level) == 0)))
        end++;
    return end;
}

/** Range of the cells of a kind; false if there are none. */
static bool find_group(const struct cells *cells, enum cell_kind kind, size_t *first, size_t *end)
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
    if (!find_group(&job->plan.cells, CELL_GAMMA, &first, &end))
        return 0;
    return plan_settle(job->session, &job->plan, first, end, GAMMA_SETTLED, GAMMA_PATIENCE_S, execution, failed);
}

/** Validate the knee, or go on with it, within its share; what it leaves out is not missed by what comes after. */
static int validate_knee(struct characterization *job, const struct execution *execution, size_t *failed)
{
    size_t first, end;
    if (!find_group(&job->plan.cells, CELL_KNEE, &first, &end))
        return 0;
    double begin_s = clock_monotonic_s(), left_s = KNEE_SHARE * job->budget_s - job->knee_s;
    struct execution own = plan_within(execution, left_s / 2);
    int error = plan_knee(job->session, &job->plan, first, end, 0, &own, failed);
    job->knee_s += clock_monotonic_s() - begin_s;
    return plan_of_part(error, &own, execution);
}

/** A roof, with up to twice its part of what is left of the share of all of them. */
static int find_roof(struct characterization *job, size_t first, size_t end, const struct execution *execution,
                     size_t *failed)
{
    const struct cells *cells = &job->plan.cells;
    unsigned groups = 0;
    for (size_t at = first; at < cells->count && cells->cell[at].kind == CELL_BETA; at = end_of_group(cells, at))
        groups++;
    double begin_s = clock_monotonic_s();
    struct execution own = plan_within(execution, 2 * (BETA_SHARE * job->budget_s - job->beta_s) / groups);
    int error = plan_find_roof(job->session, &job->plan, first, end, &own, failed);
    job->beta_s += clock_monotonic_s() - begin_s;
    return plan_of_part(error, &own, execution);
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
    int error = plan_visit(job->session, &job->plan, first, end, rounds, 5, execution, failed);
    if (!error)
        error = settle_gamma(job, execution, failed);
    return error ? error : validate_knee(job, execution, failed);
}

/** What one group of the plan takes: rounds and samples a visit. */
static int run_group(struct characterization *job, size_t first, size_t end, struct execution *execution,
                     size_t *failed)
{
    struct execution own;
    switch (job->plan.cells.cell[first].kind) {
    case CELL_BETA: return find_roof(job, first, end, execution, failed);
    case CELL_GAMMA:
        own = plan_within(execution, GAMMA_SHARE * job->budget_s);
        return plan_of_part(plan_sweep_gamma(job->session, &job->plan, first, end, &own, failed), &own, execution);
    case CELL_KNEE: return validate_knee(job, execution, failed);
    case CELL_PREPARE:
        own = plan_within(execution, PREPARE_SHARE * job->budget_s);
        return plan_of_part(plan_visit(job->session, &job->plan, first, end, 3, 10, &own, failed), &own, execution);
    case CELL_SYNC: return plan_visit(job->session, &job->plan, first, end, 3, 10, execution, failed);
    case CELL_GEMV:
        return gemv_rounds(job, first, end, first_rounds[job->plan.cells.cell[first].tier], execution, failed);
    }
    return -EINVAL;
}

/** More rounds of all GEMVs until the budget is used up. */
static int repeat_gemv(struct characterization *job, struct execution *execution, size_t *failed)
{
    const struct cells *cells = &job->plan.cells;
    size_t first = 0;
    while (first < cells->count && cells->cell[first].kind != CELL_GEMV)
        first++;
    int error = 0;
    while (!error && anything_left(cells, first, cells->count))
        error = gemv_rounds(job, first, cells->count, 1, execution, failed);
    return error;
}

/** What is written whatever happened: the summaries of what was measured, and the end. */
static int finish(struct characterization *job, const struct host_disturbance *before, char *why, size_t size)
{
    plan_knee_say_why(&job->plan);
    job->skipped = end_skipped(&job->plan.cells);
    const struct run_end end = {
        .command = "characterize",
        .interrupted = job->interrupted,
        .seconds = job->seconds,
        .budget_s = job->budget_s,
        .unreached = "the budget was used up",
        .plugins = &job->session->plugins,
        .before = before,
    };
    return run_writer_finish(&job->writer, job->session, &job->plan.cells, &end, why, size);
}

/** Every group of the plan in order, then the GEMVs again and again. @return as plan_visit */
static int measure(struct characterization *job, struct execution *execution, size_t *failed)
{
    int error = 0;
    for (size_t first = 0; !error && first < job->plan.cells.count;) {
        size_t end = end_of_group(&job->plan.cells, first);
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
        snprintf(why, size, "%s", error ? job->plan.cells.cell[failed].why : unwritten);
    return error ? error : write_error;
}
