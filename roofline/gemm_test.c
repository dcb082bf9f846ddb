/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/gemm.h"

#include <math.h>

#include "unit_test.h"

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.12g, not %.12g", got, expected);
}

/** gamma_dot 0.25, gamma_up 3, B / beta 6: N* = 12. */
static struct gemm_point at(double tokens)
{
    return (struct gemm_point){tokens, fmax(6, 3 + 0.25 * tokens), 6};
}

/** Reading of this many cycles a vector, of which a part does not overlap with computing. */
static struct gemm_point beside(double tokens, double dot, double up, double memory, double omega)
{
    double computing = up + dot * tokens;
    return (struct gemm_point){tokens, fmax(computing, memory) + (1 - omega) * fmin(computing, memory), memory};
}

TEST(slope_and_bounds_of_the_intercept_come_back)
{
    const struct gemm_point points[] = {at(1), at(4), at(16), at(64), at(128), at(256), at(1024)};
    struct gemm_fit fit = gemm_fit(points, 7);
    assert_near(fit.dot, 0.25);
    assert_near(fit.dot_range.low, 0.25);
    assert_int_equal(fit.points, 3); /* 128 and more: 4 times 24 */
    /* the intercept is 3, and reading takes 6 */
    assert_true(isnan(fit.up));
    assert_non_null(fit.up_why);
    assert_near(fit.up_range.low, 0);
    assert_near(fit.up_range.high, 3);
    assert_near(gemm_knee_range(&fit, 6).low, 12);
    assert_near(gemm_knee_range(&fit, 6).high, 24);
    assert_true(isnan(gemm_knee(&fit, 6))); /* 12 to 24 is no number */
    assert_null(gemm_binds(&fit, 18, 6));
    assert_string_equal(gemm_binds(&fit, 11, 6), "memory");
    assert_string_equal(gemm_binds(&fit, 25, 6), "multiply");
}

/** Warm: reading takes next to nothing, and the intercept is gamma_up. */
TEST(gamma_up_is_fitted_where_reading_is_short)
{
    struct gemm_point points[6];
    static const double tokens[] = {1, 2, 8, 16, 64, 256};
    for (size_t i = 0; i < 6; i++)
        points[i] = beside(tokens[i], 0.5, 3, 0.5, 1);
    struct gemm_fit fit = gemm_fit(points, 6);
    assert_near(fit.dot, 0.5);
    assert_near(fit.up, 2.75);
    assert_null(fit.up_why);
    assert_near(gemm_knee(&fit, 4), 2.5);
    assert_string_equal(gemm_binds(&fit, 2, 4), "memory");
    assert_string_equal(gemm_binds(&fit, 3, 4), "up-convert");
    assert_string_equal(gemm_binds(&fit, 6, 4), "multiply");
}

/** int8 has nothing to unpack; that its reading does not overlap at all must not be taken for it. */
TEST(reading_that_does_not_overlap_is_not_up_converting)
{
    struct gemm_point points[6];
    static const double tokens[] = {1, 8, 64, 128, 512, 1024};
    for (size_t i = 0; i < 6; i++)
        points[i] = beside(tokens[i], 0.25, 0, 3, 0);
    struct gemm_fit fit = gemm_fit(points, 6);
    assert_near(fit.dot, 0.25);
    assert_true(isnan(fit.up));
    assert_near(fit.up_least, 0);
    assert_near(fit.up_range.low, 0);
    assert_near(fit.up_range.high, 3);
}

TEST(one_wrong_point_does_not_move_them)
{
    struct gemm_point points[] = {at(96), at(128), at(192), at(256), at(512), at(1024)};
    points[3].cycles *= 1.5;
    struct gemm_fit fit = gemm_fit(points, 6);
    assert_near(fit.dot, 0.25);
    assert_near(fit.up_range.high, 3);
    points[3].cycles /= 1.5;
    points[5].cycles *= 1.5; /* the end of the line */
    fit = gemm_fit(points, 6);
    assert_near(fit.dot, 0.25);
    assert_near(fit.dot_range.low, 0.25);
}

TEST(nothing_is_fitted_where_memory_binds)
{
    const struct gemm_point points[] = {at(1), at(2), at(4), at(64)};
    struct gemm_fit fit = gemm_fit(points, 4);
    assert_true(isnan(fit.dot) && isnan(fit.up) && isnan(fit.dot_range.low) && isnan(fit.up_least));
    assert_true(isnan(gemm_fit(points, 0).dot));
    assert_true(isnan(gemm_knee(&fit, 6)));
    assert_null(gemm_binds(&fit, 4, 6));
}

/** Where reading is not known it takes no longer than the least of all points. */
TEST(without_beta_large_numbers_tell)
{
    const struct gemm_point points[] = {{1, 2, NAN}, {64, 17, NAN}, {128, 33, NAN}, {512, 129, NAN}, {0, 4, 2}};
    struct gemm_fit fit = gemm_fit(points, 5);
    assert_near(fit.dot, 0.25);
    assert_int_equal(fit.points, 3);
}

/** A kernel that reads at half of what memory gives, which its few tokens show and its terms must not. */
TEST(slow_reading_is_not_computing)
{
    const struct gemm_point points[] = {{1, 2.8, 1.6}, {16, 4.5, 1.6}, {128, 36, 1.6}, {512, 144, 1.6}};
    struct gemm_fit fit = gemm_fit(points, 4);
    assert_int_equal(fit.points, 3);
    assert_near(fit.dot, 0.28125);
    assert_near(fit.up, 0);
}

TEST(the_same_number_twice_is_no_line)
{
    const struct gemm_point points[] = {at(128), at(128), at(128)};
    assert_true(isnan(gemm_fit(points, 3).dot));
    const struct gemm_point two[] = {at(1), at(128), at(128), at(256)};
    struct gemm_fit fit = gemm_fit(two, 4);
    assert_near(fit.dot, 0.25);
    assert_true(isnan(fit.dot_range.low)); /* without the third nothing is left */
    assert_true(isnan(fit.up) && fit.up_why);
}

TEST(up_converting_takes_no_less_than_nothing)
{
    const struct gemm_point points[] = {{16, 4, 0.5}, {64, 17, 0.5}, {512, 140, 0.5}};
    struct gemm_fit fit = gemm_fit(points, 3);
    assert_near(fit.up_range.low, 0);
    assert_true(fit.dot >= 0.25 && fit.dot <= 140.0 / 512);
}

TEST(each_roof_at_a_number_of_tokens)
{
    const struct gemm_fit fit = {.dot = 0.3, .up = 3, .up_least = 3};
    struct gemm_roofs roofs = gemm_roofs(&fit, 1, 6, 0.25);
    assert_near(roofs.memory, 64.0 / 6);
    assert_near(roofs.up_convert, 64.0 / 3);
    assert_near(roofs.multiply, 256);
    assert_true(isnan(gemm_roofs(&fit, 8, 1, NAN).multiply));
    const struct gemm_fit plain = {.dot = 0.25, .up = 0};
    assert_true(isinf(gemm_roofs(&plain, 64, 6, 0.25).up_convert));
}

TEST(loading_of_operands_is_a_roof)
{
    const struct gemm_operands tiles = {32768, .near = 20, .near_alone = 9, .far = 28, .far_alone = 18};
    assert_near(gemm_operand_roof(&tiles, 32), 32768.0 / 24);
    assert_near(gemm_operand_roof(&tiles, 1024), 32768.0 / 24);
    /* one token: 2 x 16 x 64 products for two loads of weights */
    assert_near(gemm_operand_roof(&tiles, 1), 2 * 32768.0 / 16 / (2 * 9));
    assert_near(gemm_operand_roof(&tiles, 8), 32768.0 / (2 * 10));
    assert_near(gemm_operand_roof(&tiles, 16), 2 * 32768.0 / (2 * 20));
    assert_near(gemm_operand_roof(&tiles, 24), 3 * 32768.0 / (2 * 20 + 2 * 18));
    assert_near(gemm_operand_roof(&tiles, 28), 3.5 * 32768.0 / (2 * 20 + 2 * 21));
    assert_near(gemm_operand_roof(&tiles, 40), 5 * 32768.0 / (2 * 48 + 2 * 10));
    assert_true(isnan(gemm_operand_roof(&tiles, 0)));
    const struct gemm_operands unknown = {NAN, NAN, NAN, NAN, NAN};
    assert_true(isnan(gemm_operand_roof(&unknown, 16)));
    /* 64 x 512 operations in 32 cycles, after 2 of unpacking */
    assert_near(gemm_operand_cycles(1024, 512, 10, 2), 34);
    assert_near(gemm_operand_cycles(1024, 512, 35, 2), 35);
    assert_near(gemm_operand_cycles(1024, 512, 10, 0), 32);
    assert_true(isnan(gemm_operand_cycles(NAN, 512, 10, 0)) && isnan(gemm_operand_cycles(1024, 512, NAN, 0)));
    assert_true(isnan(gemm_operand_cycles(1024, 512, 10, NAN)));
    assert_string_equal(gemm_binds_tiles("multiply", 1400, 2000), "operands");
    assert_string_equal(gemm_binds_tiles("multiply", 2400, 2000), "multiply");
    assert_string_equal(gemm_binds_tiles("multiply", NAN, 2000), "multiply");
    assert_string_equal(gemm_binds_tiles("memory", 1400, 2000), "memory");
    assert_null(gemm_binds_tiles(NULL, 1400, 2000));
}

TEST(what_binds_turns_at_the_knee)
{
    const struct gemm_fit fit = {.dot = 0.3, .up = 3, .up_least = 3};
    double knee = gemm_knee(&fit, 6.6);
    assert_near(knee, 12);
    assert_string_equal(gemm_binds(&fit, knee - 0.01, 6.6), "memory");
    assert_string_equal(gemm_binds(&fit, knee + 0.01, 6.6), "multiply");
    assert_string_equal(gemm_binds(&fit, 8, 1), "up-convert");
    assert_true(gemm_knee(&fit, 1) < 1);
    assert_null(gemm_binds(&fit, 8, NAN));
}

RUN_TESTS(NULL, NULL)
