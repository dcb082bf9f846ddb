/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "results/statistics/best_of.h"
#include "results/statistics/resample.h"
#include "unit_test.h"

enum { CANDIDATES = 12, KEPT = 12, DRAWS = 4000 };

static double normal(struct resample_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(resample_next(random) >> 11) * 0x1p-53;
    return sum;
}

/* Of one draw of equal candidates: the least median of all samples, and what the halves report. */
static void draw(struct resample_random *random, double *least, double *reported)
{
    struct best_of_half halves[CANDIDATES][HALVES];
    *least = INFINITY;
    for (size_t c = 0; c < CANDIDATES; c++) {
        double values[KEPT], dealt[HALVES][KEPT / 2];
        for (size_t i = 0; i < KEPT; i++)
            values[i] = dealt[i % 2][i / 2] = 100 + normal(random);
        *least = fmin(*least, stats_median(values, KEPT));
        for (int h = 0; h < HALVES; h++)
            assert_int_equal(half_of(dealt[h], KEPT / 2, &halves[c][h]), 0);
    }
    size_t best = best_of((const struct best_of_half(*)[HALVES])halves, CANDIDATES, false);
    assert_true(best < CANDIDATES);
    *reported = halves[best][HALF_REPORTS].median;
}

/* All stand for 100. The least of 12 medians is about half a deviation below it; the report is not. */
TEST(the_best_of_equals_is_reported_without_luck)
{
    struct resample_random random = {12};
    double least_sum = 0, reported_sum = 0, square_sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        double least, reported;
        draw(&random, &least, &reported);
        least_sum += least - 100;
        reported_sum += reported - 100;
        square_sum += (reported - 100) * (reported - 100);
    }
    double error = sqrt(square_sum / DRAWS / DRAWS); /* of the mean of the reports */
    if (!(least_sum / DRAWS < -0.4))
        fail_msg("the least median is off by %g only", least_sum / DRAWS);
    if (!(fabs(reported_sum / DRAWS) < 3 * error))
        fail_msg("the report is off by %g, its mean known to %g", reported_sum / DRAWS, error);
}

TEST(the_first_half_chooses_and_has_to_be_whole)
{
    const struct best_of_half made[][HALVES] = {
        {{.median = 3, .n = 6}, {.median = 1, .n = 6}},   {{.median = 2, .n = 6}, {.median = 9, .n = 6}},
        {{.median = NAN, .n = 5}, {.median = 1, .n = 6}}, {{.median = 1, .n = 6}, {.median = NAN, .n = 5}},
        {{.median = 2, .n = 6}, {.median = 8, .n = 6}},
    };
    assert_int_equal(best_of(made, 5, false), 1);
    assert_int_equal(best_of(made, 5, true), 0);
    assert_int_equal(best_of(made + 2, 2, false), 2);
    assert_int_equal(best_of(made, 0, false), 0);
    assert_false(halves_compete(made[2]) || halves_compete(made[3]));
}

TEST(a_half_of_few_has_no_median)
{
    const double values[] = {5, 3, 1, 2, 4, 6, NAN};
    struct best_of_half half;
    assert_int_equal(half_of(values, 5, &half), 0);
    assert_true(isnan(half.median) && isnan(half.ci95[0]) && half.n == 5);
    assert_int_equal(half_of(values, 6, &half), 0);
    assert_true(half.median == 3.5 && half.ci95[0] == 1 && half.ci95[1] == 6 && half.n == 6);
    assert_int_equal(half_of(values, 7, &half), -EINVAL);
    assert_true(isnan(half.median));
    assert_int_equal(half_of(values, 0, &half), 0);
    assert_true(isnan(half.median) && half.n == 0);
}

RUN_TESTS(NULL, NULL)
