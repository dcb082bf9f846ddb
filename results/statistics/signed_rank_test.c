/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "results/statistics/signed_rank.h"
#include "results/statistics/stats.h"
#include "unit_test.h"

static void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12))
        fail_msg("%.15g is not %.15g", value, expected);
}

/* McCornack, JASA 60 (1965), 864; Hollander and Wolfe, Table A.4: n = 5 … 20, one-sided alpha. */
TEST(critical_values_match_the_published_table)
{
    static const struct {
        double alpha;
        int critical[16];
    } table[] = {
        {0.050, {0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 30, 35, 41, 47, 53, 60}},
        {0.025, {-1, 0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 29, 34, 40, 46, 52}},
        {0.010, {-1, -1, 0, 1, 3, 5, 7, 9, 12, 15, 19, 23, 27, 32, 37, 43}},
        {0.005, {-1, -1, -1, 0, 1, 3, 5, 7, 9, 12, 15, 19, 23, 27, 32, 37}},
    };
    for (size_t row = 0; row < COUNT(table); row++) {
        for (size_t n = 5; n <= 20; n++)
            assert_int_equal(signed_rank_critical(n, table[row].alpha), table[row].critical[n - 5]);
    }
}

TEST(probabilities_are_exact)
{
    /* n = 4: subsets of {1,2,3,4} by sum: 1 1 1 2 2 2 2 2 1 1 1 of 16 */
    static const int ways[] = {1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1};
    double sum = 0;
    for (size_t w = 0; w < COUNT(ways); w++) {
        sum += ways[w];
        assert_close(signed_rank_probability(4, w), sum / 16);
    }
    assert_close(signed_rank_probability(4, 99), 1);
    assert_close(signed_rank_probability(11, 0), 1.0 / 2048);
    assert_close(signed_rank_probability(20, 104), 1 - signed_rank_probability(20, 105)); /* symmetric about 105 */
    assert_true(fabs(signed_rank_probability(300, 22575 - 2948) - 0.02499) < 1e-4);       /* 1.96 deviations below */
}

TEST(alpha_that_is_met_exactly_is_met)
{
    assert_int_equal(signed_rank_critical(5, 1.0 / 32), 0);
    assert_int_equal(signed_rank_critical(5, 0.99 / 32), -1);
    assert_int_equal(signed_rank_critical(11, 1.0 / 2048), 0);
    assert_int_equal(signed_rank_critical(0, 0.5), -1);
}

/* Hollander and Wolfe, Nonparametric Statistical Methods, Table 3.1: depression factor before and after a tranquilizer.
 * There: V = 40 with P = 0.0195 one-sided, estimate 0.46, and (0.010, 0.786) at 96.1%. */
static const double depression[] = {1.83 - 0.878, 0.50 - 0.647, 1.62 - 0.598, 2.48 - 2.05, 1.68 - 1.06,
                                    1.88 - 1.29,  1.55 - 1.06,  3.06 - 3.14,  1.30 - 1.29};

TEST(textbook_example_of_hollander_and_wolfe)
{
    size_t n = COUNT(depression);
    assert_close(signed_rank_p_above(depression, n), 10.0 / 512);
    assert_close(signed_rank_estimate(depression, n), 0.46);
    assert_close(signed_rank_lower(depression, n, 0.0195313), 0.010);
    assert_close(signed_rank_upper(depression, n, 0.0195313), 0.786);
}

/* Darwin's maize, in eighths of an inch (Fisher, The Design of Experiments): the negative ranks sum to 24, P = 0.0413
 * two-sided. */
TEST(textbook_example_of_darwin)
{
    static const double maize[] = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
    assert_true(fabs(2 * signed_rank_p_above(maize, 15) - 0.04126) < 5e-6);
    assert_close(signed_rank_estimate(maize, 15), 25);
    assert_close(signed_rank_lower(maize, 15, 0.025), 4);
    assert_close(signed_rank_upper(maize, 15, 0.025), 41.5);
}

TEST(test_and_bound_agree)
{
    /* every shift of the data by one of its own Walsh averages and by a hair more or less, ties and zeros among them */
    static const double tied[] = {0, 0, 1, 1, 1, 2, 3, -1, 4, 4, 2};
    static const double alphas[] = {0.05, 0.025, 0.005, 1.0 / 2048};
    for (int step = -16; step <= 32; step++) {
        double moved[COUNT(tied)];
        for (size_t i = 0; i < COUNT(tied); i++)
            moved[i] = tied[i] - 0.125 * step;
        for (size_t a = 0; a < COUNT(alphas); a++)
            assert_int_equal(signed_rank_p_above(moved, COUNT(tied)) <= alphas[a] * (1 + 1e-12),
                             signed_rank_lower(moved, COUNT(tied), alphas[a]) > 0);
    }
}

TEST(zeros_and_ties_count_against_what_is_to_be_shown)
{
    static const double zeros[11] = {0};
    assert_close(signed_rank_p_above(zeros, 11), 1);
    assert_close(signed_rank_estimate(zeros, 11), 0);
    assert_close(signed_rank_lower(zeros, 11, 0.025), 0);
    assert_close(signed_rank_upper(zeros, 11, 0.025), 0);
    /* 3 zeros among 8 gains: the 6 averages of zeros with zeros are not above zero; P(W <= 6), n = 11, is 14/2048 */
    static const double some[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    assert_close(signed_rank_p_above(some, 11), 14.0 / 2048);
}

TEST(too_few_pairs_bound_nothing)
{
    static const double five[] = {1, 2, 3, 4, 5};
    assert_true(signed_rank_lower(five, 5, 0.025) == -INFINITY);
    assert_true(signed_rank_upper(five, 5, 0.025) == INFINITY);
    assert_close(signed_rank_lower(five, 5, 0.05), 1);
    assert_close(signed_rank_upper(five, 5, 0.05), 5);
    assert_close(signed_rank_lower(five, 1, 0.5), 1);
}

TEST(what_is_no_number_gives_none)
{
    static const double bad[] = {1, NAN, 2}, infinite[] = {1, INFINITY, 2};
    assert_true(isnan(signed_rank_estimate(bad, 3)) && isnan(signed_rank_p_above(infinite, 3)));
    assert_true(isnan(signed_rank_lower(bad, 3, 0.5)) && isnan(signed_rank_estimate(NULL, 0)));
}

/* Coverage with integers: all 2^n sign patterns of n distinct sizes are equally likely under the hypothesis. */
TEST(level_is_kept_over_all_sign_patterns)
{
    enum { N = 10 };
    static const double size[N] = {0.3, 0.7, 1.1, 1.9, 2.3, 3.7, 4.1, 5.3, 6.1, 8.9};
    size_t rejected = 0;
    for (unsigned pattern = 0; pattern < 1u << N; pattern++) {
        double difference[N];
        for (unsigned i = 0; i < N; i++)
            difference[i] = pattern >> i & 1 ? size[i] : -size[i];
        rejected += signed_rank_lower(difference, N, 0.025) > 0;
    }
    /* P(W <= 8) = 25/1024 is the largest that 2.5% allows */
    assert_int_equal(rejected, 25);
}

RUN_TESTS(NULL, NULL)
