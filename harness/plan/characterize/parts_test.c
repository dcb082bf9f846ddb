/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Plans of machines on paper: nothing is measured.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/plan/characterize/characterization.h"
#include "harness/plan/characterize/characterization_plan.h"
#include "harness/plan/characterize/parts.h"
#include "harness/plan/characterize/planner.h"
#include "unit_test.h"

/** This machine with this many cores, all like the first; nothing runs. */
static int choose(struct session *session, unsigned threads, double budget_s, struct characterization *job, char *why)
{
    session->threads = threads;
    for (unsigned i = 1; i < threads; i++)
        session->cpus[i] = session->cpus[0];
    *job = (struct characterization){
        .session = session, .purpose = &purpose_machine, .budget_s = budget_s, .budget_bytes = INFINITY};
    assert_int_equal(characterization_list(session, job->purpose, NULL, &job->cells), 0);
    return characterization_choose(job, why, SESSION_WHY);
}

static int open_session(void **state)
{
    char why[SESSION_WHY];
    const struct session_request request = {.team.threads = 1, .seed = 7};
    return session_open(&request, (struct session **)state, why, sizeof why);
}

static int close_session(void **state)
{
    struct session *session = *state;
    session->threads = 1;
    session_close(session);
    return 0;
}

TEST(a_larger_budget_plans_more_of_the_same)
{
    static const double budgets[] = {30, 60, 150, 300, INFINITY};
    bool *former = NULL;
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
        struct characterization job;
        char why[SESSION_WHY];
        assert_int_equal(choose(*state, 2, budgets[b], &job, why), 0);
        size_t count = job.cells.count, planned = 0;
        for (size_t i = 0; i < count; i++) {
            planned += !job.cells.cell[i].left_out;
            assert_true(!former || !former[i] || !job.cells.cell[i].left_out);
        }
        assert_int_equal(planned, job.planned);
        assert_true(job.planned_sum.seconds <= budgets[b]);
        assert_true(planned < count || b > 0); /* how much carries all depends on how many kernels there are */
        former = realloc(former, count);
        for (size_t i = 0; i < count; i++)
            former[i] = !job.cells.cell[i].left_out;
        cells_release(&job.cells);
    }
    free(former);
}

/** Whatever a number is held against is planned with it: the roof of its level and team. */
TEST(roofs_come_with_what_is_held_against_them)
{
    static const unsigned threads[] = {1, 2, 6};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        struct characterization job;
        char why[SESSION_WHY];
        assert_int_equal(choose(*state, threads[t], 900, &job, why), 0);
        for (size_t i = 0; i < job.cells.count; i++) {
            const struct cell *cell = &job.cells.cell[i];
            char roof[64];
            if (cell->left_out || !cell->cold || !cell->beside_roof)
                continue;
            snprintf(roof, sizeof roof, "beta/memory/t%u/roof", cell->threads);
            const struct cell *of = cells_find(&job.cells, roof);
            assert_non_null(of);
            if (of->left_out || of->value > cell->value || of->kind->rank >= cell->kind->rank)
                fail_msg("%s of value %u comes without or before %s of %u", cell->name, cell->value, of->name,
                         of->value);
        }
        cells_release(&job.cells);
    }
}

/** Seconds of what comes before the matrices of models, and of half of those. */
static double half_of_models_s(const struct parts *parts)
{
    double seconds = 0;
    for (size_t p = 0; p < parts->count; p++) {
        const struct planner_item *item = &parts->part[p].item;
        seconds += item->value < CELL_MODELS ? item->cost_s : item->value == CELL_MODELS ? item->cost_s / 2 : 0;
    }
    return seconds / (1 - PLANNER_RESERVE);
}

/** Tokens per second take all matrices: a budget that ends among them has those of one kernel after the other. */
TEST(of_models_one_kernel_at_most_is_planned_in_part)
{
    struct characterization job;
    struct parts parts;
    char why[SESSION_WHY];
    assert_int_equal(choose(*state, 2, INFINITY, &job, why), 0);
    assert_int_equal(parts_of(*state, &job.cells, job.purpose, &parts), 0);
    const struct planner_budget budget = {half_of_models_s(&parts), INFINITY};
    struct planner_budget sum;
    assert_int_equal(parts_choose(&parts, &job.cells, budget, &sum), 0);
    size_t begun = 0, left_out = 0, cut = 0;
    const struct kernel *former = NULL;
    bool former_left_out = false;
    for (size_t i = 0; i < job.cells.count; i++) {
        const struct cell *cell = &job.cells.cell[i];
        if (cell->value != CELL_MODELS)
            continue;
        begun += !cell->left_out;
        left_out += cell->left_out;
        cut += cell->kernel == former && cell->left_out != former_left_out;
        former = cell->kernel;
        former_left_out = cell->left_out;
    }
    assert_true(begun > 0 && left_out > 0);
    assert_true(cut <= 2); /* both of one kernel */
    parts_release(&parts);
    cells_release(&job.cells);
}

TEST(a_budget_too_short_for_the_roofs_is_refused)
{
    struct characterization job;
    char why[SESSION_WHY] = "";
    assert_int_equal(choose(*state, 2, 0.01, &job, why), -ERANGE);
    assert_non_null(strstr(why, "is too short for the roofs of this machine; give at least --budget="));
    cells_release(&job.cells);
}

/** What is asked for is enough, and less is not. */
TEST(a_size_that_does_not_hold_the_roofs_is_refused)
{
    struct characterization job;
    char why[SESSION_WHY] = "";
    double least_mb = 0, next_mb;
    assert_int_equal(choose(*state, 2, 60, &job, why), 0);
    job.budget_bytes = 20e3;
    assert_int_equal(characterization_choose(&job, why, sizeof why), -ERANGE);
    assert_int_equal(
        sscanf(why, "0.02 MB are too small for the roofs of this machine; give at least --size=%lf", &least_mb), 1);
    job.budget_bytes = 1e6 * least_mb;
    assert_int_equal(characterization_choose(&job, why, sizeof why), 0);
    job.budget_bytes = 1e6 * (least_mb - 0.02);
    assert_int_equal(characterization_choose(&job, why, sizeof why), -ERANGE);
    assert_non_null(strstr(why, "--size="));
    assert_int_equal(sscanf(strstr(why, "--size="), "--size=%lf", &next_mb), 1);
    assert_true(next_mb == least_mb);
    cells_release(&job.cells);
}

/** Cells of a kind that the plan of a budget has, and the most valuable that it leaves out. */
static size_t count_of_kind(struct session *session, double budget_s, const char *kind, unsigned *left_out)
{
    struct characterization job;
    char why[SESSION_WHY];
    size_t planned = 0;
    assert_int_equal(choose(session, 2, budget_s, &job, why), 0);
    *left_out = PURPOSE_NOT_WANTED;
    for (size_t i = 0; i < job.cells.count; i++) {
        const struct cell *cell = &job.cells.cell[i];
        if (strcmp(cell->kind->name, kind) != 0)
            continue;
        planned += !cell->left_out;
        *left_out = cell->left_out && cell->value < *left_out ? cell->value : *left_out;
    }
    cells_release(&job.cells);
    return planned;
}

TEST(the_least_budget_of_a_kind_has_its_most_valuable_cells_and_a_smaller_one_lacks_some)
{
    static const char *const kinds[] = {"gemm", "knee", "decode"};
    struct characterization job;
    struct parts parts;
    char why[SESSION_WHY];
    assert_int_equal(choose(*state, 2, 60, &job, why), 0);
    assert_int_equal(parts_of(*state, &job.cells, job.purpose, &parts), 0);
    json_t *budgets = parts_least_budgets(&parts, &job.cells, 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        double budget_s = json_number_value(json_object_get(budgets, kinds[i]));
        unsigned with, without;
        assert_true(budget_s > 2);
        size_t planned = count_of_kind(*state, budget_s, kinds[i], &with);
        assert_true(planned > 0);
        count_of_kind(*state, budget_s - 2, kinds[i], &without);
        assert_true(without < with);
    }
    json_decref(budgets);
    for (size_t i = 0; i < job.cells.count; i++) /* what has a sample is not lacking */
        job.cells.cell[i].samples.count = strcmp(job.cells.cell[i].kind->name, "gemm") == 0;
    budgets = parts_least_budgets(&parts, &job.cells, 1e9);
    assert_null(json_object_get(budgets, "gemm"));
    assert_true(json_number_value(json_object_get(budgets, "knee")) == 1e9); /* no less than is taken */
    json_decref(budgets);
    for (size_t i = 0; i < job.cells.count; i++)
        job.cells.cell[i].samples.count = 0;
    parts_release(&parts);
    cells_release(&job.cells);
}

/** On a CPU with AVX-512, too, where ports of its kernels are faster. */
TEST_GIVEN(the_main_papers_own_kernels_are_planned_on_its_shapes, struct session *session)
{
    struct characterization job;
    char why[SESSION_WHY];
    size_t kernels = 0, gammas = 0;
    assert_int_equal(choose(session, 2, INFINITY, &job, why), 0);
    for (size_t i = 0; i < job.cells.count; i++) {
        const struct cell *cell = &job.cells.cell[i];
        const struct kernel *kernel = cell->kernel;
        const struct sequence *sequence = cell->sequence;
        kernels += kernel && strcmp(cell->kind->name, "gemv") == 0 && cell->value == CELL_PAPERS &&
                   code_is_as_published(session, kernel->origin, kernel->isa);
        gammas +=
            sequence && cell->value == CELL_GAMMA && code_is_as_published(session, sequence->origin, sequence->isa);
    }
    cells_release(&job.cells);
#ifdef __x86_64__
    assert_true(kernels > 0);
    assert_true(gammas > 0);
#else
    assert_int_equal(kernels + gammas, 0); /* none is published for another architecture */
#endif
}

TEST(a_machine_of_many_cores_has_a_plan)
{
    struct characterization job;
    char why[SESSION_WHY] = "";
    assert_int_equal(choose(*state, SESSION_CPUS_MAX, 150, &job, why), 0);
    assert_true(job.planned > 0 && job.planned < job.cells.count);
    cells_release(&job.cells);
}

RUN_TESTS(open_session, close_session)
