/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/gemm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

static void both_terms_come_back(void **state)
{
    (void)state;
    const struct gemm_point points[] = {at(1), at(4), at(16), at(32), at(64), at(512)};
    struct gemm_fit fit = gemm_fit(points, 6);
    assert_near(fit.dot, 0.25);
    assert_near(fit.up, 3);
    assert_int_equal(fit.points, 3); /* 1, 4 and 16 are as long as reading, or nearly */
    assert_near(fit.dot_range.low, 0.25);
    assert_near(fit.up_range.high, 3);
    assert_near(gemm_knee(&fit, 6), 12);
    assert_near(gemm_computing(&fit, 8), 5);
    assert_near(gemm_cycles(&fit, 8, 6), 6);
    assert_near(gemm_cycles(&fit, 100, 6), 28);
}

static void one_wrong_point_does_not_move_them(void **state)
{
    (void)state;
    struct gemm_point points[] = {at(32), at(48), at(64), at(128), at(256), at(1024)};
    points[3].cycles *= 1.5;
    struct gemm_fit fit = gemm_fit(points, 6);
    assert_near(fit.dot, 0.25);
    assert_near(fit.up, 3);
    points[3].cycles /= 1.5;
    points[5].cycles *= 1.5; /* the end of the line */
    fit = gemm_fit(points, 6);
    assert_near(fit.dot, 0.25);
    assert_near(fit.up, 3);
    assert_near(fit.dot_range.low, 0.25);
}

static void where_memory_binds_nothing_is_told(void **state)
{
    (void)state;
    const struct gemm_point points[] = {at(1), at(2), at(4), at(64)};
    assert_false(gemm_point_tells(&points[0], 6));
    assert_true(gemm_point_tells(&points[3], 6));
    struct gemm_fit fit = gemm_fit(points, 4);
    assert_int_equal(fit.points, 1);
    assert_true(isnan(fit.dot) && isnan(fit.up) && isnan(fit.dot_range.low));
    assert_true(isnan(gemm_fit(points, 0).dot));
    assert_true(isnan(gemm_knee(&fit, 6)) && isnan(gemm_cycles(&fit, 4, 6)));
    const struct gemm_point unknown = {4, 8, NAN}, nothing = {4, NAN, 2}, none = {0, 4, 2};
    assert_true(gemm_point_tells(&unknown, 2));
    assert_false(gemm_point_tells(&unknown, 7));
    assert_false(gemm_point_tells(&nothing, 2) || gemm_point_tells(&none, 2));
}

/** A kernel that reads at half of what memory gives, which its few tokens show and its terms must not. */
static void slow_reading_is_not_computing(void **state)
{
    (void)state;
    const struct gemm_point points[] = {{1, 2.8, 1.6}, {16, 4.5, 1.6}, {128, 36, 1.6}, {512, 144, 1.6}};
    struct gemm_fit fit = gemm_fit(points, 4);
    assert_int_equal(fit.points, 3);
    assert_near(fit.dot, 0.28125);
    assert_near(fit.up, 0);
}

static void the_same_number_twice_is_no_line(void **state)
{
    (void)state;
    const struct gemm_point points[] = {at(64), at(64), at(64)};
    assert_true(isnan(gemm_fit(points, 3).dot));
    const struct gemm_point two[] = {at(1), at(64), at(64), at(128)};
    struct gemm_fit fit = gemm_fit(two, 4);
    assert_near(fit.dot, 0.25);
    assert_true(isnan(fit.dot_range.low)); /* without the third nothing is left */
}

static void up_converting_takes_no_less_than_nothing(void **state)
{
    (void)state;
    const struct gemm_point points[] = {{16, 4, 1}, {64, 17, 1}, {512, 140, 1}};
    struct gemm_fit fit = gemm_fit(points, 3);
    assert_near(fit.up, 0);
    assert_true(fit.dot >= 0.25 && fit.dot <= 140.0 / 512);
}

static void each_roof_binds_where_it_is_lowest(void **state)
{
    (void)state;
    const struct gemm_fit fit = {.dot = 0.3, .up = 3};
    struct gemm_roofs roofs = gemm_roofs(&fit, 1, 6, 0.25);
    assert_near(roofs.memory, 64.0 / 6);
    assert_near(roofs.up_convert, 64.0 / 3);
    assert_near(roofs.multiply, 256);
    assert_string_equal(gemm_binds(&roofs), "memory");
    roofs = gemm_roofs(&fit, 64, 6, 0.25);
    assert_string_equal(gemm_binds(&roofs), "multiply");
    roofs = gemm_roofs(&fit, 8, 1, 0.25);
    assert_string_equal(gemm_binds(&roofs), "up-convert");
    roofs = gemm_roofs(&fit, 8, 1, NAN);
    assert_string_equal(gemm_binds(&roofs), "up-convert");
    assert_true(isnan(roofs.multiply));
    roofs = gemm_roofs(&fit, 8, NAN, 0.25);
    assert_null(gemm_binds(&roofs));
    const struct gemm_fit plain = {.dot = 0.25, .up = 0};
    roofs = gemm_roofs(&plain, 64, 6, 0.25);
    assert_true(isinf(roofs.up_convert));
    assert_string_equal(gemm_binds(&roofs), "multiply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_terms_come_back),
        cmocka_unit_test(one_wrong_point_does_not_move_them),
        cmocka_unit_test(where_memory_binds_nothing_is_told),
        cmocka_unit_test(slow_reading_is_not_computing),
        cmocka_unit_test(the_same_number_twice_is_no_line),
        cmocka_unit_test(up_converting_takes_no_less_than_nothing),
        cmocka_unit_test(each_roof_binds_where_it_is_lowest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
