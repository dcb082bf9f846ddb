/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/gate/layout_bias.h"
#include "results/records/testing.h"
#include "results/statistics/resample.h"
#include "unit_test.h"

TEST(the_spread_is_of_the_ends)
{
    const double medians[] = {2, 2.2, 1.9};
    assert_close(layout_bias_spread(medians, 3), 2.2 / 1.9 - 1);
    assert_close(layout_bias_spread(medians, 2), 0.1);
}

TEST(the_distance_is_that_of_most_pairs)
{
    double medians[16];
    for (int i = 0; i < 16; i++)
        medians[i] = 1;
    assert_true(layout_bias_distance(medians, 16) == 0);
    /* one of sixteen is in 15 of 120 pairs, which is more than 5% */
    medians[3] = 1.1;
    assert_close(layout_bias_distance(medians, 16), log(1.1));
    /* the two ends of four are one of six pairs, the largest */
    const double four[] = {1, 1.01, 1.02, 1.5};
    assert_close(layout_bias_distance(four, 4), log(1.5));
}

TEST(one_level_or_a_damaged_one_has_none)
{
    const double damaged[][2] = {{1, 0}, {1, -1}, {NAN, 1}, {1, INFINITY}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(isnan(layout_bias_distance(damaged[i], 2)));
        assert_true(isnan(layout_bias_spread(damaged[i], 2)));
    }
    assert_true(isnan(layout_bias_distance(damaged[0], 1)));
    assert_true(isnan(layout_bias_distance(NULL, 0)));
}

TEST(noise_is_no_layout)
{
    assert_close(layout_bias_net(0.05, 0.03), 0.04);
    assert_true(layout_bias_net(0.02, 0.03) == 0);
    assert_true(isnan(layout_bias_net(0.02, NAN)));
    assert_true(isnan(layout_bias_net(NAN, 0.01)));
}

/** Uniform in [-1, 1). */
static double noise(struct resample_random *random)
{
    return 2 * ((double)resample_below(random, 1u << 30) / (1u << 30)) - 1;
}

enum { ROUNDS = 96, LEVELS = 8 };

/** Rounds of one speed each, with noise, and one level that takes `slower` as much. */
static void draw(uint64_t seed, double drift, double scatter, double slower, double times[ROUNDS * LEVELS])
{
    struct resample_random random = {seed};
    for (size_t r = 0; r < ROUNDS; r++) {
        double round = 1e-3 * (1 + drift * noise(&random));
        for (size_t l = 0; l < LEVELS; l++)
            times[r * LEVELS + l] = round * (1 + scatter * noise(&random)) * (l == 2 ? 1 + slower : 1);
    }
}

TEST(levels_that_differ_in_nothing_show_no_layout)
{
    double times[ROUNDS * LEVELS];
    size_t told = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        draw(seed, 0.3, 0.1, 0, times);
        struct layout_bias bias = layout_bias_of(times, ROUNDS, LEVELS);
        assert_true(bias.distance > 0 && bias.noise > 0 && bias.net >= 0);
        told += bias.net > 0;
    }
    assert_true(told <= 11); /* 5 of 100 are expected; more than 11 would be one chance in 200 */
}

TEST(a_slow_level_differs_from_rounds_that_drift)
{
    double times[ROUNDS * LEVELS];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        draw(seed, 0.3, 0.02, 0.05, times);
        struct layout_bias bias = layout_bias_of(times, ROUNDS, LEVELS);
        assert_true(bias.net > log(1.04) && bias.net < log(1.06));
        assert_true(bias.spread > 0.04 && bias.noise < 0.01);
    }
}

TEST(rounds_that_were_disturbed_do_not_count)
{
    double times[ROUNDS * LEVELS];
    draw(1, 0, 0, 0.05, times);
    for (size_t i = 0; i < 6 * LEVELS; i++)
        times[i] *= i % LEVELS == 3 ? 2 : 1; /* of these rounds only three samples are kept */
    for (size_t i = 0; i < 6 * LEVELS; i++)
        times[i] = i % LEVELS < 4 && i % LEVELS > 0 ? times[i] : NAN;
    assert_close(layout_bias_of(times, ROUNDS, LEVELS).spread, 0.05);
    assert_close(layout_bias_of(times + 6 * LEVELS, 6, LEVELS).spread, 0.05);
    times[7 * LEVELS] = NAN;
    const struct layout_bias few = layout_bias_of(times + 6 * LEVELS, 6, LEVELS);
    assert_true(isnan(few.spread) && isnan(few.distance) && isnan(few.noise) && isnan(few.net));
    assert_true(isnan(layout_bias_of(NULL, 0, LEVELS).net));
}

RUN_TESTS(NULL, NULL)
