/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See tune_job.h.
 */
#include "harness/plan/tune_job.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/halving.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/cell/summary.h"
#include "harness/cells/product/product_cells.h"
#include "harness/plan/protocol.h"
#include "platforms/clock/clock.h"
#include "results/statistics/best_of.h"
#include "results/text/refuse.h"
#include "results/tuned/tuning_match.h"

/** Samples of each candidate that is still in. */
static const struct halving_stage stages[] = {{SIZE_MAX, 1, 3}, {24, 1, 4}, {8, 2, 4}, {4, 2, 6}};
enum { STAGES = sizeof stages / sizeof *stages };

/** What is reported: rounds of this many samples, and more visits where too few of them were kept. */
enum { CONFIRM_ROUNDS = 3, CONFIRM_SAMPLES = 6 };

/** Of the time that is left the searches take so much, the rest is for what is reported. */
static const double SEARCH_SHARE = 0.7;

enum { CANDIDATES_MOST = 512, ROOF_SAMPLES = 3 };

/** A problem, the cells of its search and those of what is reported. */
struct task {
    struct tuning_problem problem;
    size_t first, end;                 /* cells of the search */
    size_t confirm_first, confirm_end; /* of what is reported */
    size_t found_first, found_end;     /* kernels in the table, one each */
};

struct job {
    const struct tune_request *request;
    struct session *session;
    struct cells *cells;
    const struct execution *execution;
    struct tuning_table *table; /* time_s is what the search saw until what is reported takes its place */
    struct task *task;
    size_t tasks;
    size_t failed;
    double deadline_s; /* of all that comes after the roofs */
};

/* ---- problems ---- */

static bool holds(const struct kernel *kernel, const struct shape *shape)
{
    return kernel_accepts(kernel, shape->m, shape->k, NULL, 0) == 0;
}

/** Problem `index` of those of a kernel. */
static struct tuning_problem problem_at(const struct tune_request *request, const struct kernel *kernel, size_t index,
                                        const struct shape **shape)
{
    *shape = &request->shapes[index / request->token_count / request->teams];
    return tune_problem(kernel, (*shape)->m, (*shape)->k,
                        request->tokens[index / request->teams % request->token_count],
                        request->sizes[index % request->teams], request->cold);
}

static bool is_problem(const struct tuning_problem *one, const struct tuning_problem *other)
{
    return tuning_is_of_family(one, other) && tuning_distance(one, other) == 0;
}

/** Each problem once, of which the kernels are those of its family. @param tasks  room for all, or NULL to count */
static size_t add_problems(const struct tune_request *request, struct task *tasks)
{
    size_t each = request->shape_count * request->token_count * request->teams, count = 0;
    for (size_t i = 0; i < request->kernel_count * each; i++) {
        const struct shape *shape;
        const struct kernel *kernel = request->kernels[i / each];
        struct tuning_problem problem = problem_at(request, kernel, i % each, &shape);
        bool known = !holds(kernel, shape) || tune_candidates(kernel, &problem, NULL, 0) == 0;
        for (size_t before = 0; !known && before < i / each; before++) {
            struct tuning_problem other = problem_at(request, request->kernels[before], i % each, &shape);
            known = is_problem(&problem, &other) && tune_candidates(request->kernels[before], &other, NULL, 0) > 0;
        }
        if (known)
            continue;
        if (tasks)
            tasks[count] = (struct task){.problem = problem};
        count++;
    }
    return count;
}

size_t tune_problems(const struct tune_request *request)
{
    return add_problems(request, NULL);
}

/* ---- cells ---- */

/** @param part  that the name ends in, so that it differs from a plain cell's */
static int add_cell(struct job *job, const struct tuning_problem *problem, const struct tune_candidate *candidate,
                    const char *part)
{
    const struct shape shape = {.m = problem->m, .k = problem->k};
    int error = product_add(job->cells, candidate->kernel, &shape, candidate->gemm ? problem->n : PRODUCT_GEMV,
                            problem->threads, problem->cold);
    if (error)
        return error;
    struct cell *cell = &job->cells->cell[job->cells->count - 1];
    product_cell(cell)->settings = candidate->settings;
    product_settings_name(&candidate->settings, cell);
    size_t used = strlen(cell->name);
    snprintf(cell->name + used, sizeof cell->name - used, "/%s", part);
    return 0;
}

static bool same_settings(const struct product_settings *one, const struct product_settings *other)
{
    return one->prefetch_bytes == other->prefetch_bytes && one->shares_tokens == other->shares_tokens &&
           one->variant == other->variant;
}

/** The cell of [first, end) that runs a candidate; end: none. */
static size_t find_cell(const struct job *job, size_t first, size_t end, const struct tune_candidate *candidate)
{
    for (size_t i = first; i < end; i++) {
        const struct cell *cell = &job->cells->cell[i];
        if (cell->kernel == candidate->kernel && (gemm_cell(cell) != NULL) == candidate->gemm &&
            same_settings(&product_cell(cell)->settings, &candidate->settings))
            return i;
    }
    return end;
}

static double speed_of(const struct cell *cell)
{
    double median = summary_time(cell).summary.median;
    return median > 0 ? 1 / median : 0;
}

/** Of each kernel and product the best goes along: other commands ask for the settings of a kernel by name. */
static const void *class_of(const struct cell *cell)
{
    return gemm_cell(cell) ? (const void *)&cell->kernel->gemm : (const void *)cell->kernel;
}

/* ---- the search ---- */

static int add_candidates(struct job *job, struct task *task)
{
    const struct tune_request *request = job->request;
    struct tune_candidate *all = calloc(CANDIDATES_MOST, sizeof *all);
    int error = all ? 0 : -ENOMEM;
    task->first = job->cells->count;
    for (size_t k = 0; !error && k < request->kernel_count; k++) {
        const struct kernel *kernel = request->kernels[k];
        const struct shape shape = {.m = task->problem.m, .k = task->problem.k};
        const struct tuning_problem own =
            tune_problem(kernel, shape.m, shape.k, task->problem.n, task->problem.threads, task->problem.cold);
        if (!holds(kernel, &shape) || !is_problem(&own, &task->problem))
            continue;
        size_t count = tune_candidates(kernel, &task->problem, all, CANDIDATES_MOST);
        if (count > CANDIDATES_MOST)
            error = -E2BIG;
        for (size_t i = 0; !error && i < count; i++)
            error = add_cell(job, &task->problem, &all[i], "search");
    }
    task->end = job->cells->count;
    free(all);
    return error;
}

static void count_seen(const struct job *job, const struct task *task, struct tuning_cell *cell)
{
    for (size_t i = task->first; i < task->end; i++) {
        cell->candidates++;
        cell->seen += speed_of(&job->cells->cell[i]) > 0;
    }
}

/** The best of each kernel into the table, the best of all first. @param order  best first */
static int keep_found(struct job *job, struct task *task, const size_t *order, size_t count)
{
    int error = 0;
    task->found_first = job->table->count;
    for (size_t i = 0; !error && i < count; i++) {
        const struct cell *cell = &job->cells->cell[order[i]];
        bool known = speed_of(cell) == 0;
        for (size_t j = 0; !known && j < i; j++)
            known = class_of(&job->cells->cell[order[j]]) == class_of(cell);
        if (known)
            continue;
        const struct product_settings *settings = &product_cell(cell)->settings;
        struct tuning_cell found = {.problem = task->problem,
                                    .gemm = gemm_cell(cell) != NULL,
                                    .best = job->table->count == task->found_first,
                                    .prefetch_bytes = settings->prefetch_bytes,
                                    .shares_tokens = settings->shares_tokens,
                                    .time_s = 1 / speed_of(cell),
                                    .default_time_s = NAN,
                                    .left_out_time_s = NAN};
        snprintf(found.kernel, sizeof found.kernel, "%s", cell->kernel->name);
        snprintf(found.isa, sizeof found.isa, "%s", cell->kernel->isa);
        snprintf(found.variant, sizeof found.variant, "%s", settings->variant ? settings->variant : "");
        count_seen(job, task, &found);
        error = tuning_add(job->table, &found);
    }
    task->found_end = job->table->count;
    return error;
}

/** Seconds from now on of an equal share of what is left of the time for searches, or of all time. */
static struct execution share_of_time(const struct job *job, double deadline_s, size_t shares)
{
    return execution_within(job->execution, fmax(0, deadline_s - clock_monotonic_s()) / (double)shares);
}

static int search(struct job *job, struct task *task, double search_end_s, size_t left)
{
    int error = add_candidates(job, task);
    if (error)
        return error;
    const struct execution part = share_of_time(job, search_end_s, left);
    const double each = 1.0 / (double)job->tasks;
    struct halving halving = {.session = job->session,
                              .cells = job->cells,
                              .order = calloc(task->end - task->first + 1, sizeof *halving.order),
                              .stages = stages,
                              .stage_count = STAGES,
                              .most = ~0u,
                              .merit = speed_of,
                              .class_of = class_of,
                              .execution = &part,
                              .begin = SEARCH_SHARE * each * (double)(job->tasks - left),
                              .part = SEARCH_SHARE * each};
    if (!halving.order)
        return -ENOMEM;
    for (size_t i = task->first; i < task->end; i++)
        halving.order[halving.count++] = i;
    error = execution_of_part(halving_run(&halving, &job->failed), &part, job->execution);
    if (!error)
        error = keep_found(job, task, halving.order, halving.count);
    free(halving.order);
    return error;
}

/* ---- what is reported ---- */

static const struct kernel *kernel_of(const struct job *job, const char *name)
{
    for (size_t k = 0; k < job->request->kernel_count; k++) {
        if (strcmp(job->request->kernels[k]->name, name) == 0)
            return job->request->kernels[k];
    }
    return NULL;
}

static struct tune_candidate own_settings(const struct kernel *kernel, bool gemm)
{
    return (struct tune_candidate){kernel, gemm, {.prefetch_given = true, .prefetch_bytes = kernel->prefetch_bytes}};
}

static struct tune_candidate candidate_of(const struct job *job, const struct tuning_cell *cell)
{
    struct tune_candidate candidate = {.kernel = kernel_of(job, cell->kernel), .gemm = cell->gemm};
    tune_settings_of(candidate.kernel, cell, &candidate.settings);
    return candidate;
}

static int add_once(struct job *job, const struct task *task, const struct tune_candidate *candidate)
{
    size_t end = job->cells->count;
    return find_cell(job, task->confirm_first, end, candidate) < end
               ? 0
               : add_cell(job, &task->problem, candidate, "tuned");
}

/** The settings that the nearest other problem found, and whose they are; false: there is none. */
static bool left_out(const struct job *job, const struct task *task, struct tuning_cell *best,
                     struct tune_candidate *candidate)
{
    const struct tuning_query query = {.problem = &task->problem, .leave_out = true};
    const struct tuning_cell *match = tuning_match(job->table, &query);
    if (!match)
        return false;
    snprintf(best->left_out_kernel, sizeof best->left_out_kernel, "%s", match->kernel);
    best->left_out_m = match->problem.m;
    best->left_out_k = match->problem.k;
    best->left_out_n = match->problem.n;
    *candidate = candidate_of(job, match);
    return true;
}

/** What was found, the kernels' own settings, and those of the nearest other problem. Needs all searches. */
static int add_confirmation(struct job *job, struct task *task)
{
    int error = 0;
    task->confirm_first = job->cells->count;
    for (size_t i = task->found_first; !error && i < task->found_end; i++) {
        struct tuning_cell *found = &job->table->cell[i];
        struct tune_candidate candidate = candidate_of(job, found), own = own_settings(candidate.kernel, found->gemm),
                              other;
        error = add_once(job, task, &candidate);
        if (!error)
            error = add_once(job, task, &own);
        if (!error && found->best && left_out(job, task, found, &other))
            error = add_once(job, task, &other);
    }
    task->confirm_end = job->cells->count;
    return error;
}

static int confirm(struct job *job, struct task *task, size_t left)
{
    const struct execution share = share_of_time(job, job->deadline_s, left);
    const double each = (1 - SEARCH_SHARE) / (double)job->tasks,
                 begin = SEARCH_SHARE + each * (double)(job->tasks - left);
    struct execution_span span;
    const struct execution part = execution_spanning(&span, &share, begin, begin + each);
    int error = cells_visit(job->session, job->cells, task->confirm_first, task->confirm_end, CONFIRM_ROUNDS,
                            CONFIRM_SAMPLES, &part, &job->failed);
    if (!error)
        error = cells_settle(job->session, job->cells, task->confirm_first, task->confirm_end, STATS_KEPT_LEAST,
                             fmax(0, part.deadline_s - clock_monotonic_s()), &part, &job->failed);
    return execution_of_part(error, &part, job->execution);
}

/** What a cell of the confirmation says, and of which half of its samples it is stated. */
struct timed {
    size_t index;
    struct graded time;
    bool known;
};

static struct timed timed_of(const struct job *job, const struct task *task, const struct tune_candidate *candidate)
{
    size_t index = find_cell(job, task->confirm_first, task->confirm_end, candidate);
    struct timed timed = {.index = index, .known = index < task->confirm_end};
    if (timed.known)
        timed.time = summary_time(&job->cells->cell[index]);
    return timed;
}

/** Reported from the half of the samples that chooses nothing, where both halves are enough for a number. */
static double stated(const struct timed *timed, size_t *kept)
{
    const bool halves = timed->known && halves_compete(timed->time.halves);
    *kept = !timed->known ? 0 : halves ? timed->time.halves[HALF_REPORTS].n : timed->time.summary.n;
    return !timed->known ? (double)NAN : halves ? timed->time.halves[HALF_REPORTS].median : summary_stated(timed->time);
}

bool tune_own_stands(struct graded found, struct graded own)
{
    const bool halves = halves_compete(found.halves) && halves_compete(own.halves);
    const double found_s = halves ? found.halves[HALF_CHOOSES].median : summary_stated(found),
                 own_s = halves ? own.halves[HALF_CHOOSES].median : summary_stated(own);
    return isfinite(own_s) && !(found_s < own_s);
}

static void report(struct job *job, const struct task *task)
{
    for (size_t i = task->found_first; i < task->found_end; i++) {
        struct tuning_cell *found = &job->table->cell[i];
        const struct tune_candidate candidate = candidate_of(job, found),
                                    own = own_settings(candidate.kernel, found->gemm);
        struct timed time = timed_of(job, task, &candidate), own_time = timed_of(job, task, &own);
        if (time.known && own_time.known && tune_own_stands(time.time, own_time.time)) {
            time = own_time;
            found->prefetch_bytes = own.settings.prefetch_bytes;
            found->shares_tokens = false;
            found->variant[0] = '\0';
        }
        found->time_s = stated(&time, &found->kept);
        found->default_time_s = stated(&own_time, &found->default_kept);
    }
}

/** What the nearest other problem's settings attain, as the table now has them. */
static void report_left_out(struct job *job, const struct task *task)
{
    struct tune_candidate candidate;
    size_t kept;
    for (size_t i = task->found_first; i < task->found_end; i++) {
        struct tuning_cell *found = &job->table->cell[i];
        if (!found->best || !left_out(job, task, found, &candidate))
            continue;
        const struct timed time = timed_of(job, task, &candidate);
        found->left_out_time_s = stated(&time, &kept);
    }
}

static int confirm_all(struct job *job)
{
    int error = 0;
    for (size_t t = 0; !error && t < job->tasks; t++)
        error = add_confirmation(job, &job->task[t]);
    for (size_t t = 0; !error && t < job->tasks; t++)
        error = confirm(job, &job->task[t], job->tasks - t);
    for (size_t t = 0; t < job->tasks; t++)
        report(job, &job->task[t]);
    for (size_t t = 0; t < job->tasks; t++)
        report_left_out(job, &job->task[t]);
    return error;
}

/* ---- all of it ---- */

static int roofs(struct job *job)
{
    struct execution_span span;
    struct execution brief = execution_spanning(&span, job->execution, 0, 0);
    brief.roof_samples = ROOF_SAMPLES;
    int error = 0;
    for (size_t t = 0; !error && job->request->cold && t < job->request->teams; t++)
        error = protocol_roof(job->session, job->cells, "memory", job->request->sizes[t], &brief, &job->failed);
    return error;
}

static int run_all(struct job *job)
{
    int error = roofs(job);
    double now = clock_monotonic_s(), search_end_s = now + SEARCH_SHARE * job->request->budget_s;
    job->deadline_s = now + job->request->budget_s;
    for (size_t t = 0; !error && t < job->tasks; t++)
        error = search(job, &job->task[t], search_end_s, job->tasks - t);
    return error ? error : confirm_all(job);
}

int tune_measure(const struct tune_request *request, struct session *session, struct cells *cells,
                 const struct execution *execution, struct tuning_table *table, char *why, size_t size)
{
    struct job job = {.request = request,
                      .session = session,
                      .cells = cells,
                      .execution = execution,
                      .table = table,
                      .tasks = tune_problems(request)};
    job.task = calloc(job.tasks + 1, sizeof *job.task);
    if (!job.task)
        return refuse(-ENOMEM, why, size, "no memory");
    add_problems(request, job.task);
    int error = run_all(&job);
    if (error)
        protocol_why(cells, job.failed, error, why, size);
    free(job.task);
    return error;
}
