/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "results/statistics/resample.h"
#include "unit_test.h"

enum { N = 11 };

/** Sum of twelve uniform numbers less six: nearly normal, deviation 1. */
static double nearly_normal(struct resample_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(resample_next(random) >> 11) * 0x1p-53;
    return sum;
}

TEST(generator_is_the_published_one)
{
    /* splitmix64 from seed 1234567, as its authors list it */
    struct resample_random random = {1234567};
    assert_true(resample_next(&random) == 6457827717110365317u);
    assert_true(resample_next(&random) == 3203168211198807973u);
    size_t of[5] = {0};
    for (int i = 0; i < 50000; i++)
        of[resample_below(&random, 5)]++;
    for (int i = 0; i < 5; i++)
        assert_true(of[i] > 9600 && of[i] < 10400);
}

/* The estimate of 11 nearly normal differences of deviation s has a deviation of about s / sqrt(11 * 0.955); its
 * absolute 95th percentile is 1.96 times that, less what 11 values understate of s. */
TEST(floor_is_what_noise_alone_would_show)
{
    double sum = 0, sum_unpaired = 0;
    struct resample_random random = {7};
    for (int round = 0; round < 60; round++) {
        double difference[N], base[N], head[N];
        for (int i = 0; i < N; i++) {
            difference[i] = 5 + 0.01 * nearly_normal(&random);
            base[i] = 3 + 0.01 * nearly_normal(&random);
            head[i] = 4 + 0.01 * nearly_normal(&random);
        }
        sum += resample_paired_floor(difference, N, 1) / 60;
        sum_unpaired += resample_unpaired_floor(base, N, head, N, 1) / 60;
    }
    double expected = 0.01 * 1.96 / sqrt(N * 0.955);
    assert_true(sum > 0.85 * expected && sum < 1.05 * expected);
    assert_true(sum_unpaired > 0.85 * expected * M_SQRT2 && sum_unpaired < 1.05 * expected * M_SQRT2);
}

TEST(floor_needs_two_values)
{
    static const double same[] = {2, 2, 2};
    assert_true(isnan(resample_paired_floor(same, 1, 1)) && isnan(resample_unpaired_floor(same, 1, same, 3, 1)));
    assert_true(resample_paired_floor(same, 3, 1) == 0 && resample_unpaired_floor(same, 3, same, 3, 1) == 0);
}

struct bench {
    double base[3][N], head[3][N];
    unsigned block[N];
    struct resample_cell cell[3];
};

/** Three cells; `common` is the deviation that a block gives to all of them, `own` that of each. */
static void draw(struct bench *bench, double common, double own, bool paired, struct resample_random *random)
{
    for (int b = 0; b < N; b++) {
        double of_base = common * nearly_normal(random), of_head = common * nearly_normal(random);
        bench->block[b] = (unsigned)b;
        for (int c = 0; c < 3; c++) {
            bench->base[c][b] = of_base + own * nearly_normal(random);
            bench->head[c][b] = 0.1 * c + of_head + own * nearly_normal(random);
        }
    }
    for (int c = 0; c < 3; c++)
        bench->cell[c] = (struct resample_cell){
            0.1 * c, bench->base[c], bench->head[c], bench->block, bench->block, paired ? 0 : N, N};
}

TEST(mean_is_that_of_the_effects_and_seeded)
{
    struct bench bench;
    struct resample_random random = {9};
    struct resample_mean mean, again, other;
    draw(&bench, 0.01, 0.001, false, &random);
    assert_int_equal(resample_geometric_mean(bench.cell, 3, N, 5, &mean), 0);
    assert_int_equal(resample_geometric_mean(bench.cell, 3, N, 5, &again), 0);
    assert_int_equal(resample_geometric_mean(bench.cell, 3, N, 6, &other), 0);
    assert_true(fabs(mean.effect - 0.1) < 1e-12);
    assert_true(mean.ci95[0] == again.ci95[0] && mean.ci95[1] == again.ci95[1]);
    assert_true(mean.ci95[0] != other.ci95[0] || mean.ci95[1] != other.ci95[1]);
}

/* What a block gives to all its cells does not average out over the cells: blocks are drawn, not values. */
TEST(interval_knows_that_a_block_is_one)
{
    struct bench bench;
    double common = 0, own = 0;
    struct resample_random random = {11};
    for (int round = 0; round < 20; round++) {
        struct resample_mean mean;
        draw(&bench, 0.01, 0, true, &random);
        assert_int_equal(resample_geometric_mean(bench.cell, 3, N, 1, &mean), 0);
        common += mean.ci95[1] - mean.ci95[0];
        draw(&bench, 0, 0.01, true, &random);
        assert_int_equal(resample_geometric_mean(bench.cell, 3, N, 1, &mean), 0);
        own += mean.ci95[1] - mean.ci95[0];
    }
    assert_true(common > 1.4 * own); /* sqrt(3) */
}

TEST(missing_blocks_are_left_out)
{
    struct bench bench;
    struct resample_random random = {13};
    struct resample_mean mean;
    draw(&bench, 0.01, 0.001, false, &random);
    bench.cell[1].head_count = 3;
    bench.cell[2].base_count = 1;
    assert_int_equal(resample_geometric_mean(bench.cell, 3, N, 1, &mean), 0);
    assert_true(isfinite(mean.ci95[0]) && isfinite(mean.ci95[1]) && mean.ci95[0] < mean.ci95[1]);
    assert_int_equal(resample_geometric_mean(bench.cell, 0, N, 1, &mean), -EINVAL);
    assert_int_equal(resample_geometric_mean(bench.cell, 3, 0, 1, &mean), -EINVAL);
}

RUN_TESTS(NULL, NULL)
