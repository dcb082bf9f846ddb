/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/statistics/resample.h"
#include "results/statistics/stats.h"
#include "unit_test.h"

TEST(odd_count_is_summarized_by_hand)
{
    /* Sorted 1 2 3 4 5 6 100: median 4, deviations 0 1 1 2 2 3 96, ranks (1, 7). */
    const double values[] = {100, 3, 1, 6, 2, 5, 4};
    double before[COUNT(values)];
    memcpy(before, values, sizeof values);
    struct summary summary = {.rejected = 9};
    assert_int_equal(stats_summarize(values, COUNT(values), &summary), 0);
    assert_true(summary.median == 4 && summary.min == 1 && summary.max == 100);
    assert_true(summary.mad == 2);
    assert_true(summary.ci95[0] == 1 && summary.ci95[1] == 100);
    assert_int_equal(summary.n, 7);
    assert_int_equal(summary.rejected, 0);
    assert_memory_equal(values, before, sizeof values);
}

TEST(even_count_takes_the_middle_of_two)
{
    /* Median 5.5, deviations 0.5 0.5 1.5 1.5 2.5 2.5 3.5 3.5 4.5 4.5: MAD 2.5; ranks (2, 9). */
    const double values[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    struct summary summary;
    assert_int_equal(stats_summarize(values, COUNT(values), &summary), 0);
    assert_true(summary.median == 5.5 && summary.mad == 2.5);
    assert_true(summary.ci95[0] == 2 && summary.ci95[1] == 9);
}

TEST(few_values_have_no_interval_and_are_not_stated)
{
    const double values[] = {3, 1, 2, 5, 4, 6};
    for (size_t n = 1; n <= COUNT(values); n++) {
        struct summary summary;
        bool enough = n >= STATS_KEPT_LEAST;
        assert_int_equal(stats_summarize(values, n, &summary), 0);
        assert_true(isfinite(summary.median) && summary.min == 1 + 2 * (n == 1));
        assert_true(isnan(summary.ci95[0]) == !enough && isnan(summary.ci95[1]) == !enough);
        assert_true(enough ? stats_stated(&summary) == summary.median : isnan(stats_stated(&summary)));
    }
    struct summary one;
    stats_summarize(values, 1, &one);
    assert_true(one.median == 3 && one.mad == 0 && one.min == 3 && one.max == 3 && one.n == 1);
}

TEST(nothing_gives_nan)
{
    struct summary summary;
    assert_int_equal(stats_summarize(NULL, 0, &summary), 0);
    assert_true(isnan(summary.median) && isnan(summary.min) && isnan(summary.max) && isnan(summary.mad));
    assert_true(isnan(summary.ci95[0]) && isnan(summary.ci95[1]));
    assert_int_equal(summary.n, 0);
    assert_true(isnan(stats_median(NULL, 0)));
}

TEST(a_quarter_lies_below_the_lower_quartile)
{
    static const double values[] = {5, 1, 4, 2, 3, 100};
    assert_true(stats_lower_quartile(values, 5) == 2);
    assert_true(fabs(stats_lower_quartile(values, 6) - 2.25) < 1e-12);
    assert_true(stats_lower_quartile(values, 1) == 5);
    assert_true(isnan(stats_lower_quartile(values, 0)));
    assert_true(isnan(stats_lower_quartile((const double[]){1, NAN}, 2)));
}

TEST(values_that_are_not_finite_are_refused)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT(bad); i++) {
        const double values[] = {1, bad[i], 2};
        struct summary summary;
        assert_int_equal(stats_summarize(values, 3, &summary), -EINVAL);
        assert_int_equal(summary.n, 0);
    }
    const double with_nan[] = {1, NAN, 2};
    assert_true(isnan(stats_median(with_nan, 3)));
}

TEST(extreme_values_do_not_overflow)
{
    const double values[] = {1.7e308, 1.7e308};
    assert_true(stats_median(values, 2) == 1.7e308);
    const double equal[] = {0.1, 0.1, 0.1, 0.1};
    assert_true(stats_median(equal, 4) == 0.1);
}

/* Conover, Practical Nonparametric Statistics; Hahn and Meeker, Statistical Intervals: the ranks of the sign test at
 * 95%. */
TEST(ranks_match_the_published_table)
{
    static const size_t table[][3] = {
        {6, 1, 6},   {7, 1, 7},   {8, 1, 8},   {9, 2, 8},   {10, 2, 9},   {11, 2, 10},  {12, 3, 10},  {13, 3, 11},
        {14, 3, 12}, {15, 4, 12}, {16, 4, 13}, {17, 5, 13}, {18, 5, 14},  {19, 5, 15},  {20, 6, 15},  {21, 6, 16},
        {22, 6, 17}, {23, 7, 17}, {24, 7, 18}, {25, 8, 18}, {30, 10, 21}, {40, 14, 27}, {50, 18, 33}, {100, 40, 61},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        size_t lower, upper;
        stats_median_ranks(table[i][0], 0.95, &lower, &upper);
        assert_int_equal(lower, table[i][1]);
        assert_int_equal(upper, table[i][2]);
    }
}

/* Exact coverage with integers: the interval keeps its promise, and the next narrower one would not. */
TEST(ranks_cover_exactly_as_promised)
{
    static const double confidences[] = {0.5, 0.9, 0.95, 0.99};
    for (size_t n = 6; n <= 60; n++) {
        for (size_t c = 0; c < COUNT(confidences); c++) {
            size_t lower, upper;
            stats_median_ranks(n, confidences[c], &lower, &upper);
            uint64_t ways = 1, below = 0, below_next;
            for (size_t k = 0; k < lower; k++) {
                below += ways;
                ways = ways * (n - k) / (k + 1);
            }
            below_next = below + ways;
            double all = ldexp(1, (int)n);
            if (lower > 1)
                assert_true(1 - 2 * (double)below / all >= confidences[c]);
            assert_true(1 - 2 * (double)below_next / all < confidences[c] || lower == (n + 1) / 2);
            assert_int_equal(lower + upper, n + 1);
        }
    }
}

TEST(ranks_of_odd_requests_stay_in_range)
{
    size_t lower, upper;
    stats_median_ranks(0, 0.95, &lower, &upper);
    assert_int_equal(lower, 0);
    assert_int_equal(upper, 0);
    stats_median_ranks(5, 0.5, &lower, &upper);
    assert_int_equal(lower, 1);
    assert_int_equal(upper, 5);
    stats_median_ranks(6, 0.9999, &lower, &upper);
    assert_int_equal(lower, 1);
    assert_int_equal(upper, 6);
    stats_median_ranks(1000, 1.0, &lower, &upper);
    assert_int_equal(lower, 1);
    assert_int_equal(upper, 1000);
    stats_median_ranks(11, 0.0, &lower, &upper);
    assert_int_equal(lower, 6);
    assert_int_equal(upper, 6);
    stats_median_ranks(7, NAN, &lower, &upper);
    assert_int_equal(lower, 1);
    assert_int_equal(upper, 7);
}

/* Normal approximation (n - 1.96 sqrt n) / 2, which is good to one rank up there. */
TEST(ranks_of_many_values_follow_the_normal_law)
{
    static const size_t counts[] = {2000, 20000, 100001};
    for (size_t i = 0; i < COUNT(counts); i++) {
        size_t lower, upper;
        double n = (double)counts[i];
        stats_median_ranks(counts[i], 0.95, &lower, &upper);
        assert_true(fabs((double)lower - 0.5 * (n - 1.959964 * sqrt(n))) <= 1.0);
        assert_int_equal(lower + upper, counts[i] + 1);
    }
}

/* Few and many are sorted in different ways. */
TEST(sorting_is_of_any_number)
{
    enum { MOST = 5000 };
    static double values[MOST];
    uint32_t random = 1;
    for (size_t n = 0; n <= MOST; n = n < 300 ? n + 1 : n + 523) {
        double sum = 0, sorted_sum = 0;
        for (size_t i = 0; i < n; i++) {
            random = random * 1664525u + 1013904223u;
            values[i] = (double)(random >> 16 & 0xff) - 100; /* many are equal */
            sum += values[i];
        }
        stats_sort(values, n);
        for (size_t i = 0; i < n; i++) {
            sorted_sum += values[i];
            assert_true(i == 0 || values[i - 1] <= values[i]);
        }
        assert_true(sum == sorted_sum);
    }
}

TEST(a_rank_is_found_without_sorting)
{
    enum { MOST = 70 };
    double sorted[MOST], values[MOST];
    uint32_t random = 1;
    for (size_t n = 1; n <= MOST; n++) {
        for (size_t i = 0; i < n; i++) {
            random = random * 1664525u + 1013904223u;
            sorted[i] = (double)(random >> 16 & (n % 2 ? 0xf : 0xffff)); /* of every other number many are equal */
        }
        memcpy(values, sorted, n * sizeof *values);
        stats_sort(sorted, n);
        for (size_t rank = 0; rank < n; rank++)
            assert_true(stats_ranked(values, n, rank) == sorted[rank]);
        assert_true(stats_middle(values, n) == 0.5 * sorted[(n - 1) / 2] + 0.5 * sorted[n / 2]);
    }
}

TEST(a_ratio_has_the_interval_of_both)
{
    const struct bounded exact = {2, 2, 2}, wide = {1, 0.5, 2}, unknown = {NAN, NAN, NAN};
    struct bounded ratio = ratio_of(&exact, &wide);
    assert_true(ratio.value == 2 && fabs(ratio.low - 1) < 1e-12 && fabs(ratio.high - 4) < 1e-12);
    ratio = ratio_of(&wide, &wide);
    assert_true(ratio.value == 1 && fabs(log(ratio.high) - M_LN2 * M_SQRT2) < 1e-12);
    assert_true(isnan(ratio_of(&unknown, &exact).value) && isnan(ratio_of(&exact, &unknown).low));
}

static struct bounded median_of(struct resample_random *random, size_t n)
{
    double values[32];
    struct summary summary;
    for (size_t i = 0; i < n; i++) {
        double sum = -6;
        for (int j = 0; j < 12; j++)
            sum += (double)(resample_next(random) >> 11) * 0x1p-53;
        values[i] = exp(0.02 * sum);
    }
    assert_int_equal(stats_summarize(values, n, &summary), 0);
    return (struct bounded){summary.median, summary.ci95[0], summary.ci95[1]};
}

/* Of equal things 1 is within the interval 95 times in 100, or more. */
TEST(the_interval_covers)
{
    enum { DRAWS = 2000 };
    struct resample_random random = {7};
    size_t within = 0;
    for (int i = 0; i < DRAWS; i++) {
        struct bounded a = median_of(&random, 12), b = median_of(&random, 24), ratio = ratio_of(&a, &b);
        within += ratio.low <= 1 && 1 <= ratio.high;
    }
    assert_in_range(within, DRAWS * 94 / 100, DRAWS);
}

RUN_TESTS(NULL, NULL)
