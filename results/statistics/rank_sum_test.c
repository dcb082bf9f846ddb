/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "results/statistics/rank_sum.h"
#include "unit_test.h"

static void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12))
        fail_msg("%.15g is not %.15g", value, expected);
}

/* Mann and Whitney's U as Milton, JASA 59 (1964), 925 and every textbook since tables it: m down, n = 3 … 20 across. */
TEST(critical_values_match_the_published_table)
{
    static const struct {
        double alpha; /* one-sided */
        size_t m;
        int critical[18];
    } table[] = {
        {0.050, 5, {1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 18, 19, 20, 22, 23, 25}},
        {0.050, 10, {4, 7, 11, 14, 17, 20, 24, 27, 31, 34, 37, 41, 44, 48, 51, 55, 58, 62}},
        {0.050, 20, {11, 18, 25, 32, 39, 47, 54, 62, 69, 77, 84, 92, 100, 107, 115, 123, 130, 138}},
        {0.025, 3, {-1, -1, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8}},
        {0.025, 4, {-1, 0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13, 14}},
        {0.025, 5, {0, 1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18, 19, 20}},
        {0.025, 6, {1, 2, 3, 5, 6, 8, 10, 11, 13, 14, 16, 17, 19, 21, 22, 24, 25, 27}},
        {0.025, 7, {1, 3, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34}},
        {0.025, 8, {2, 4, 6, 8, 10, 13, 15, 17, 19, 22, 24, 26, 29, 31, 34, 36, 38, 41}},
        {0.025, 9, {2, 4, 7, 10, 12, 15, 17, 20, 23, 26, 28, 31, 34, 37, 39, 42, 45, 48}},
        {0.025, 10, {3, 5, 8, 11, 14, 17, 20, 23, 26, 29, 33, 36, 39, 42, 45, 48, 52, 55}},
        {0.025, 11, {3, 6, 9, 13, 16, 19, 23, 26, 30, 33, 37, 40, 44, 47, 51, 55, 58, 62}},
        {0.025, 12, {4, 7, 11, 14, 18, 22, 26, 29, 33, 37, 41, 45, 49, 53, 57, 61, 65, 69}},
        {0.025, 15, {5, 10, 14, 19, 24, 29, 34, 39, 44, 49, 54, 59, 64, 70, 75, 80, 85, 90}},
        {0.025, 20, {8, 14, 20, 27, 34, 41, 48, 55, 62, 69, 76, 83, 90, 98, 105, 112, 119, 127}},
        {0.010, 5, {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
        {0.010, 20, {5, 10, 16, 22, 28, 34, 40, 47, 53, 60, 67, 73, 80, 87, 93, 100, 107, 114}},
        {0.005, 10, {0, 2, 4, 6, 9, 11, 13, 16, 18, 21, 24, 26, 29, 31, 34, 37, 39, 42}},
        {0.005, 20, {3, 8, 13, 18, 24, 30, 36, 42, 48, 54, 60, 67, 73, 79, 86, 92, 99, 105}},
    };
    for (size_t row = 0; row < COUNT(table); row++) {
        for (size_t n = 3; n <= 20; n++) {
            assert_int_equal(rank_sum_critical(table[row].m, n, table[row].alpha), table[row].critical[n - 3]);
            assert_int_equal(rank_sum_critical(n, table[row].m, table[row].alpha), table[row].critical[n - 3]);
        }
    }
}

TEST(probabilities_are_exact)
{
    /* 2 and 3: the 10 orders have U = 0 1 2 2 3 3 4 4 5 6 */
    static const int ways[] = {1, 1, 2, 2, 2, 1, 1};
    double sum = 0;
    for (size_t u = 0; u < COUNT(ways); u++) {
        sum += ways[u];
        assert_close(rank_sum_probability(2, 3, u), sum / 10);
    }
    assert_close(rank_sum_probability(2, 3, 99), 1);
    assert_close(rank_sum_probability(11, 11, 0), 1.0 / 705432);
    assert_close(rank_sum_probability(7, 7, 0), 1.0 / 3432);
    /* symmetric about m n / 2, up to the largest that is computed exactly */
    assert_true(fabs(rank_sum_probability(100, 100, 4999) +
                     0.5 * (rank_sum_probability(100, 100, 5000) - rank_sum_probability(100, 100, 4999)) - 0.5) < 1e-9);
}

TEST(beyond_the_exact_the_normal_law_goes_on)
{
    /* the two must meet: 100 x 100 is exact, 100 x 101 is not */
    double exact = rank_sum_probability(100, 100, 4200), normal = rank_sum_probability(100, 101, 4240);
    assert_true(fabs(exact - 0.02534) < 2e-4 && fabs(normal - exact) < 3e-3);
    long critical = rank_sum_critical(150, 150, 0.025);
    assert_true(rank_sum_probability(150, 150, (size_t)critical) <= 0.025);
    assert_true(rank_sum_probability(150, 150, (size_t)critical + 1) > 0.025);
}

/* Hollander and Wolfe, Table 4.1: permeability of the human chorioamnion at term and at 12 to 26 weeks. There: W = 35,
 * P = 0.1272 one-sided, estimate of term minus early 0.305, and (-0.15, 0.76) at 96%. */
TEST(textbook_example_of_hollander_and_wolfe)
{
    static const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    static const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    assert_true(fabs(rank_sum_p_above(early, 5, term, 10) - 0.1272061) < 1e-7);
    assert_close(rank_sum_estimate(early, 5, term, 10), 0.305);
    assert_close(rank_sum_lower(early, 5, term, 10, 0.025), -0.15);
    assert_close(rank_sum_upper(early, 5, term, 10, 0.025), 0.76);
}

TEST(test_and_bound_agree)
{
    static const double base[] = {0, 1, 1, 2, 2, 2, 3}, head[] = {1, 2, 2, 3, 3, 4, 4, 5};
    static const double alphas[] = {0.05, 0.025, 0.005, 1.0 / 6435};
    for (int step = -24; step <= 48; step++) {
        double moved[COUNT(head)];
        for (size_t i = 0; i < COUNT(head); i++)
            moved[i] = head[i] - 0.125 * step;
        for (size_t a = 0; a < COUNT(alphas); a++)
            assert_int_equal(rank_sum_p_above(base, COUNT(base), moved, COUNT(head)) <= alphas[a] * (1 + 1e-12),
                             rank_sum_lower(base, COUNT(base), moved, COUNT(head), alphas[a]) > 0);
    }
}

TEST(ties_count_against_what_is_to_be_shown)
{
    static const double same[] = {1, 1, 1, 1, 1};
    assert_close(rank_sum_p_above(same, 5, same, 5), 1);
    assert_close(rank_sum_estimate(same, 5, same, 5), 0);
    assert_close(rank_sum_lower(same, 5, same, 5, 0.025), 0);
    assert_close(rank_sum_upper(same, 5, same, 5, 0.025), 0);
}

TEST(too_few_values_bound_nothing)
{
    static const double low[] = {1, 2, 3}, high[] = {11, 12, 13};
    assert_true(rank_sum_lower(low, 3, high, 3, 0.025) == -INFINITY);
    assert_true(rank_sum_upper(low, 3, high, 3, 0.025) == INFINITY);
    assert_close(rank_sum_lower(low, 3, high, 3, 0.05), 8);
    assert_int_equal(rank_sum_critical(0, 5, 0.5), -1);
}

TEST(what_is_no_number_gives_none)
{
    static const double bad[] = {1, NAN, 2}, good[] = {1, 2, 3};
    assert_true(isnan(rank_sum_estimate(bad, 3, good, 3)) && isnan(rank_sum_p_above(good, 3, bad, 3)));
    assert_true(isnan(rank_sum_upper(NULL, 0, good, 3, 0.5)) && isnan(rank_sum_estimate(good, 3, NULL, 0)));
}

/* Coverage with integers: all C(10, 5) ways to deal ten values into two samples are equally likely. */
TEST(level_is_kept_over_all_deals)
{
    static const double value[] = {0.1, 0.4, 0.5, 1.1, 1.3, 2.0, 2.2, 3.1, 4.5, 7.7};
    size_t deals = 0, rejected = 0;
    for (unsigned pattern = 0; pattern < 1u << 10; pattern++) {
        if (__builtin_popcount(pattern) != 5)
            continue;
        double base[5], head[5];
        size_t b = 0, h = 0;
        for (unsigned i = 0; i < 10; i++) {
            if (pattern >> i & 1)
                head[h++] = value[i];
            else
                base[b++] = value[i];
        }
        deals++;
        rejected += rank_sum_lower(base, 5, head, 5, 0.025) > 0;
    }
    assert_int_equal(deals, 252);
    /* U <= 2: 1 + 1 + 2 deals; U <= 3 would be 7, more than 2.5% */
    assert_int_equal(rejected, 4);
}

RUN_TESTS(NULL, NULL)
