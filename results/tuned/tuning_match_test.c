/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which tuned problem is the nearest, and what taking its settings loses.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/tuned/tuning_match.h"
#include "unit_test.h"

static struct tuning_cell cell(const char *kernel, size_t m, size_t k, size_t n)
{
    struct tuning_cell made = {
        .problem =
            {.format = "w2", .takes = "f32", .error_bound = 0.25, .threads = 2, .cold = true, .m = m, .k = k, .n = n},
        .gemm = true,
        .best = true,
        .time_s = 1e-3,
        .left_out_time_s = NAN,
    };
    snprintf(made.kernel, sizeof made.kernel, "%s", kernel);
    return made;
}

static struct tuning_query ask(const struct tuning_problem *problem)
{
    return (struct tuning_query){.problem = problem};
}

TEST(distances_are_octaves)
{
    struct tuning_cell a = cell("a", 4096, 4096, 64), b = cell("b", 1024, 8192, 64);
    assert_true(tuning_distance(&a.problem, &b.problem) == 3);
    assert_true(tuning_distance(&b.problem, &a.problem) == 3);
    assert_true(tuning_distance(&a.problem, &a.problem) == 0);
}

TEST(the_nearest_of_the_family_answers)
{
    struct tuning_cell cells[] = {cell("far", 1024, 1024, 64), cell("near", 4096, 4096, 32),
                                  cell("other", 4096, 4096, 64), cell("untimed", 4096, 4096, 64),
                                  cell("second", 4096, 4096, 64)};
    cells[2].problem.error_bound = 0.5;
    cells[3].time_s = NAN;
    cells[4].best = false;
    const struct tuning_table table = {.cell = cells, .count = 5};
    struct tuning_problem problem = cell("", 4096, 5120, 64).problem;
    struct tuning_query query = ask(&problem);
    assert_string_equal(tuning_match(&table, &query)->kernel, "near");
    query.kernel = "second";
    query.gemm = true;
    assert_string_equal(tuning_match(&table, &query)->kernel, "second");
    query.gemm = false;
    assert_null(tuning_match(&table, &query));
}

TEST(each_part_of_a_family_counts)
{
    struct tuning_cell only = cell("only", 64, 64, 1);
    const struct tuning_table table = {.cell = &only, .count = 1};
    struct tuning_problem problems[5];
    for (size_t i = 0; i < 5; i++)
        problems[i] = only.problem;
    strcpy(problems[0].format, "w1");
    strcpy(problems[1].takes, "int8");
    problems[2].error_bound = 0;
    problems[3].threads = 1;
    problems[4].cold = false;
    for (size_t i = 0; i < 5; i++) {
        struct tuning_query query = ask(&problems[i]);
        assert_null(tuning_match(&table, &query));
    }
    struct tuning_query query = ask(&only.problem);
    assert_non_null(tuning_match(&table, &query));
    struct tuning_problem written = only.problem; /* with nine digits */
    written.error_bound = 0.25 + 1e-10;
    query.problem = &written;
    assert_non_null(tuning_match(&table, &query));
    query.leave_out = true;
    assert_null(tuning_match(&table, &query));
}

/** M and K twice as large are as far as N four times; settings go by N. */
TEST(of_equally_near_ones_the_nearest_tokens_answer)
{
    struct tuning_cell cells[] = {cell("tokens", 1024, 1024, 16), cell("size", 2048, 2048, 64)};
    const struct tuning_table table = {.cell = cells, .count = 2};
    struct tuning_problem problem = cell("", 1024, 1024, 64).problem;
    const struct tuning_query query = ask(&problem);
    assert_string_equal(tuning_match(&table, &query)->kernel, "size");
}

/** Half and twice as large are equally near: whichever stands first, the smaller one answers; then the name. */
TEST(ties_do_not_depend_on_the_order)
{
    struct tuning_cell cells[] = {cell("b", 2048, 4096, 1), cell("a", 8192, 4096, 1), cell("c", 4096, 8192, 1),
                                  cell("a", 2048, 4096, 1)};
    struct tuning_problem problem = cell("", 4096, 4096, 1).problem;
    for (size_t turn = 0; turn < 4; turn++) {
        struct tuning_cell last = cells[3];
        memmove(&cells[1], &cells[0], 3 * sizeof *cells);
        cells[0] = last;
        const struct tuning_table table = {.cell = cells, .count = 4};
        const struct tuning_query query = ask(&problem);
        const struct tuning_cell *found = tuning_match(&table, &query);
        assert_string_equal(found->kernel, "a");
        assert_int_equal(found->problem.m, 2048);
    }
}

TEST(losses_are_of_the_best_alone)
{
    struct tuning_cell cells[] = {cell("a", 1, 1, 1), cell("a", 2, 1, 1), cell("a", 4, 1, 1), cell("b", 4, 1, 1)};
    struct tuning_table table = {.cell = cells, .count = 4};
    struct tuning_loss loss = tuning_loss(&table);
    assert_int_equal(loss.problems, 0);
    assert_true(isnan(loss.geometric_mean) && isnan(loss.worst));
    cells[0].left_out_time_s = 2e-3;
    cells[1].left_out_time_s = 1.25e-3;
    cells[3].left_out_time_s = 1;
    cells[3].best = false;
    loss = tuning_loss(&table);
    assert_int_equal(loss.problems, 2);
    assert_true(fabs(loss.geometric_mean - sqrt(0.5 * 0.8)) < 1e-12);
    assert_true(fabs(loss.worst - 0.5) < 1e-12);
}

RUN_TESTS(NULL, NULL)
