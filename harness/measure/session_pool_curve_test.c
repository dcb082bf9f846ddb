/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session_pool_curve.h"
#include "unit_test.h"

enum { MOST = 7 };

/** A curve over sizes that double, until a rate of 0. */
static void check(const double rates[MOST], enum pool_end end, size_t index)
{
    struct pool_point points[MOST];
    size_t count = 0;
    for (; count < MOST && rates[count] > 0; count++)
        points[count] = (struct pool_point){(double)(UINT64_C(1) << (25 + count)), rates[count]};
    struct pool_verdict verdict = pool_settles(points, count);
    assert_int_equal(verdict.end, end);
    if (end != POOL_UNKNOWN)
        assert_int_equal(verdict.index, index);
}

TEST(a_curve_settles_where_nothing_larger_is_slower)
{
    check((const double[MOST]){90, 60, 40, 40}, POOL_SETTLED, 2);
    check((const double[MOST]){90, 60, 40, 30, 24, 24}, POOL_SETTLED, 4);
    check((const double[MOST]){40, 40, 40, 40}, POOL_SETTLED, 0); /* a plateau at once */
    check((const double[MOST]){40, 41}, POOL_SETTLED, 0);
}

TEST(noise_is_no_fall)
{
    check((const double[MOST]){41, 39, 42, 40}, POOL_SETTLED, 0);
    check((const double[MOST]){90, 41, 40.2, 39.4}, POOL_SETTLED, 1);
    check((const double[MOST]){100, 99, 98, 97, 96, 95.5}, POOL_SETTLED, 0);
    check((const double[MOST]){100, 97, 94, 91, 88, 85, 82}, POOL_SETTLED, 5); /* each step within noise, all not */
    check((const double[MOST]){40, 60, 41, 40}, POOL_SETTLED, 0);              /* one that was lucky */
}

TEST(a_curve_that_falls_to_its_end_is_not_settled)
{
    check((const double[MOST]){90, 60, 40, 30}, POOL_FALLS, 3);
    check((const double[MOST]){40, 40, 40, 30}, POOL_FALLS, 3);
    check((const double[MOST]){64, 32, 16, 8, 4, 2, 1}, POOL_FALLS, 6);
}

TEST(one_point_says_nothing)
{
    check((const double[MOST]){40}, POOL_UNKNOWN, 0);
    check((const double[MOST]){0}, POOL_UNKNOWN, 0);
}

RUN_TESTS(NULL, NULL)
