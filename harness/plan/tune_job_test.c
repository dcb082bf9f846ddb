/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The search: what is looked at, what is reported, and what is not where there is no time.
 *
 * steady: which samples there are is counted
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "harness/cells/product/product_cells.h"
#include "harness/cells/rounds_tests.h"
#include "harness/plan/tune_job.h"
#include "harness/team/scalar_gemm.h"
#include "results/tuned/tuning_match.h"
#include "unit_test.h"

static const struct shape shapes[] = {{.m = 8, .k = 8}, {.m = 16, .k = 8}};
static const size_t tokens[] = {2, 4};
static const unsigned one_thread = 1;

static struct tune_request request_of(const struct kernel *const *kernels, size_t count, double budget_s)
{
    return (struct tune_request){.kernels = kernels,
                                 .kernel_count = count,
                                 .shapes = shapes,
                                 .shape_count = 2,
                                 .tokens = tokens,
                                 .token_count = 2,
                                 .sizes = &one_thread,
                                 .teams = 1,
                                 .budget_s = budget_s};
}

/** A kernel with a prefetch that it does not use: four settings that take the same time. */
static struct kernel prefetching(const char *name)
{
    struct kernel kernel = scalar_kernel();
    kernel.name = name;
    kernel.prefetch_bytes = 256;
    return kernel;
}

static size_t cells_with(const struct bench *bench, const char *part)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->cells.count; i++)
        count += strstr(bench->cells.cell[i].name, part) != NULL;
    return count;
}

TEST_GIVEN_BY(every_problem_is_searched_and_measured_anew, struct bench *bench, open_bench, close_bench)
{
    const struct kernel one = prefetching("scalar.one.reference"), other = prefetching("scalar.other.reference");
    const struct kernel *const kernels[] = {&one, &other};
    const struct tune_request request = request_of(kernels, 2, 60);
    const struct execution execution = {0};
    struct tuning_table table = {0};
    char why[SESSION_WHY] = "";
    assert_int_equal(tune_problems(&request), 4);
    assert_int_equal(tune_measure(&request, bench->session, &bench->cells, &execution, &table, why, sizeof why), 0);
    assert_int_equal(cells_with(bench, "/search"), 4 * 8);
    assert_int_equal(table.count, 4 * 2); /* of each problem each kernel's best */
    size_t best = 0;
    for (size_t i = 0; i < table.count; i++) {
        const struct tuning_cell *cell = &table.cell[i];
        best += cell->best;
        assert_true(isfinite(cell->time_s) && isfinite(cell->default_time_s));
        assert_true(cell->kept >= 6 && cell->default_kept >= 6);
        assert_true(cell->candidates == 8 && cell->seen == 8);
        assert_true(cell->best == (cell->left_out_kernel[0] != 0));
        assert_true(!cell->best || (isfinite(cell->left_out_time_s) &&
                                    (cell->left_out_m != cell->problem.m || cell->left_out_n != cell->problem.n)));
    }
    assert_int_equal(best, 4);
    assert_int_equal(tuning_loss(&table).problems, 4);
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        assert_true(strstr(cell->name, "/search") ? cell->samples.count >= 3 : cell->samples.count == 18);
    }
    tuning_release(&table);
}

/** int8 and f32 activations: two families, which have no kernel in common. */
TEST_GIVEN_BY(families_are_searched_apart, struct bench *bench, open_bench, close_bench)
{
    const struct kernel integers = scalar_kernel(), floats = scalar_float_kernel();
    const struct kernel *const kernels[] = {&integers, &floats};
    struct tune_request request = request_of(kernels, 2, 60);
    request.shape_count = request.token_count = 1;
    const struct execution execution = {0};
    struct tuning_table table = {0};
    char why[SESSION_WHY] = "";
    assert_int_equal(tune_problems(&request), 2);
    assert_int_equal(tune_measure(&request, bench->session, &bench->cells, &execution, &table, why, sizeof why), 0);
    assert_int_equal(table.count, 2);
    assert_true(table.cell[0].best && table.cell[1].best);
    assert_true(!table.cell[0].left_out_kernel[0] && isnan(table.cell[0].left_out_time_s));
    assert_true(table.cell[0].time_s == table.cell[0].default_time_s); /* there is nothing to choose */
    tuning_release(&table);
}

TEST_GIVEN_BY(without_time_nothing_is_found, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = prefetching("scalar.one.reference");
    const struct kernel *const kernels[] = {&kernel};
    const struct tune_request request = request_of(kernels, 1, 0);
    const struct execution execution = {0};
    struct tuning_table table = {0};
    char why[SESSION_WHY] = "";
    assert_int_equal(tune_measure(&request, bench->session, &bench->cells, &execution, &table, why, sizeof why), 0);
    assert_int_equal(table.count, 0);
    tuning_release(&table);
}

static void run_wrong(const struct gemm_slice *slice)
{
    scalar_run(slice);
    if (slice->panels && slice->tokens)
        slice->out[0] += 1;
}

TEST_GIVEN_BY(a_wrong_kernel_ends_it_and_is_named, struct bench *bench, open_bench, close_bench)
{
    struct kernel kernel = scalar_kernel();
    kernel.gemm.run = run_wrong;
    const struct kernel *const kernels[] = {&kernel};
    const struct tune_request request = request_of(kernels, 1, 60);
    const struct execution execution = {0};
    struct tuning_table table = {0};
    char why[SESSION_WHY] = "";
    assert_int_equal(tune_measure(&request, bench->session, &bench->cells, &execution, &table, why, sizeof why),
                     -EILSEQ);
    assert_non_null(strstr(why, "differs from the scalar reference"));
    tuning_release(&table);
}

/** So many samples of one time; of a dozen the halves compete. */
static struct graded timed(double seconds, size_t n)
{
    const struct best_of_half half = {.median = n < BEST_OF_KEPT_LEAST ? (double)NAN : seconds, .n = n / 2};
    return (struct graded){.summary = {.median = seconds, .n = n}, .halves = {half, half}};
}

TEST(own_settings_stand_where_nothing_is_seen_to_be_faster)
{
    struct graded lucky = timed(0.9, 12);
    lucky.halves[HALF_CHOOSES].median = 1.1;
    assert_false(tune_own_stands(timed(0.9, 12), timed(1, 12)));
    assert_true(tune_own_stands(timed(1.1, 12), timed(1, 12)));
    assert_true(tune_own_stands(lucky, timed(1, 12)));
    /* too few for halves */
    assert_false(tune_own_stands(timed(0.9, 7), timed(1, 12)));
    assert_true(tune_own_stands(timed(1.3, 7), timed(1, 12)));
    assert_true(tune_own_stands(timed(1.3, 12), timed(1, 7)));
    /* and for a number */
    assert_true(tune_own_stands(timed(0.9, 5), timed(1, 12)));
    assert_false(tune_own_stands(timed(1.3, 12), timed(1, 5)));
}

RUN_TESTS(NULL, NULL)
