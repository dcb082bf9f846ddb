/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/crossover.h"
#include "unit_test.h"

#define NEAR(value, expected) assert_true(fabs((value) - (double)(expected)) <= 1e-9 * fabs((double)(expected)))

/* 8-bit integers by vpdpbusd of 512 bits on a core that reads 11 bytes a cycle. */
static const struct crossover_integers int8 = {.bytes = 32, .gamma_dot = 0.25, .gamma_up = 0};
static const double beta = 11, per_pair = 0.0455;

TEST(the_boundary_falls_with_tokens_and_is_then_flat)
{
    NEAR(crossover_pairs(per_pair, &int8, beta, 1), 32 / 11.0 / 0.0455);
    NEAR(crossover_pairs(per_pair, &int8, beta, 4), 8 / 11.0 / 0.0455);
    NEAR(crossover_pairs(per_pair, &int8, beta, 64), 0.25 / 0.0455);
    NEAR(crossover_pairs(per_pair, &int8, beta, 1024), 0.25 / 0.0455);
}

TEST(up_converting_is_shared_by_the_tokens)
{
    const struct crossover_integers int2 = {.bytes = 8, .gamma_dot = 0.25, .gamma_up = 2};
    NEAR(crossover_pairs(1, &int2, 100, 1), 2.25);
    NEAR(crossover_pairs(1, &int2, 100, 16), 0.25 + 2 / 16.0);
}

TEST(cycles_of_a_pair_are_the_median)
{
    const double pairs[] = {2, 4, 8, 12}, gammas[] = {0.091, 0.184, 0.3684, 5.55};
    NEAR(crossover_cycles_per_pair(pairs, gammas, 1), 0.0455);
    NEAR(crossover_cycles_per_pair(pairs, gammas, 2), (0.0455 + 0.046) / 2);
    NEAR(crossover_cycles_per_pair(pairs, gammas, 3), 0.046); /* 0.0455 0.046 0.04605 */
    NEAR(crossover_cycles_per_pair(pairs, gammas, 4), (0.046 + 0.04605) / 2);
    const double same[] = {1, 1, 1};
    NEAR(crossover_cycles_per_pair(same, same, 3), 1);
    assert_true(isnan(crossover_cycles_per_pair(pairs, gammas, 0)));
    const double none[] = {0.1, NAN};
    assert_true(isnan(crossover_cycles_per_pair(pairs, none, 2)));
}

TEST(the_measured_boundary_lies_between_two_points)
{
    const struct crossover_point falling[] = {{12, 0.5}, {1, 4}, {2, 2}, {8, 0.5}};
    NEAR(crossover_measured(falling, 4), 4); /* half way from 2 to 8, on logarithmic scales */
    NEAR(crossover_measured(falling + 1, 3), 4);
    assert_true(crossover_measured(falling + 1, 2) == INFINITY);
    assert_true(crossover_measured(falling, 1) == 0);
    assert_true(isnan(crossover_measured(falling, 0)));
    const struct crossover_point again[] = {{1, 2}, {4, 0.5}, {8, 3}}; /* what wins beyond a loss is not the boundary */
    NEAR(crossover_measured(again, 3), 2);
    const struct crossover_point equal[] = {{1, 2}, {4, 3}, {4, 0.5}}; /* w1a4 and w2a2 */
    NEAR(crossover_measured(equal, 3), 2);
    const struct crossover_point exactly[] = {{2, 1}, {4, 0.5}};
    NEAR(crossover_measured(exactly, 2), 2);
    const struct crossover_point bad[] = {{2, NAN}, {4, 0.5}};
    assert_true(isnan(crossover_measured(bad, 2)));
}

TEST(arguments_out_of_range_have_no_answer)
{
    const struct crossover_integers bad[] = {{0, 1, 0}, {32, 0, 0}, {32, 1, -1}, {32, NAN, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(isnan(crossover_pairs(per_pair, &bad[i], beta, 1)));
    }
    assert_true(isnan(crossover_pairs(0, &int8, beta, 1)));
    assert_true(isnan(crossover_pairs(per_pair, &int8, 0, 1)));
    assert_true(isnan(crossover_pairs(per_pair, &int8, beta, 0)));
}

RUN_TESTS(NULL, NULL)
