/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/layout_bias.h"
#include "results/testing.h"

static void the_spread_is_of_the_ends(void **state)
{
    (void)state;
    const double medians[] = {2, 2.2, 1.9};
    assert_close(layout_bias_spread(medians, 3), 2.2 / 1.9 - 1);
    assert_close(layout_bias_spread(medians, 2), 0.1);
}

static void the_distance_is_that_of_most_pairs(void **state)
{
    (void)state;
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

static void one_level_or_a_damaged_one_has_none(void **state)
{
    (void)state;
    const double damaged[][2] = {{1, 0}, {1, -1}, {NAN, 1}, {1, INFINITY}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(isnan(layout_bias_distance(damaged[i], 2)));
        assert_true(isnan(layout_bias_spread(damaged[i], 2)));
    }
    assert_true(isnan(layout_bias_distance(damaged[0], 1)));
    assert_true(isnan(layout_bias_distance(NULL, 0)));
}

static void noise_is_no_layout(void **state)
{
    (void)state;
    assert_close(layout_bias_net(0.05, 0.03), 0.04);
    assert_true(layout_bias_net(0.02, 0.03) == 0);
    assert_true(isnan(layout_bias_net(0.02, NAN)));
    assert_true(isnan(layout_bias_net(NAN, 0.01)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_spread_is_of_the_ends),
        cmocka_unit_test(the_distance_is_that_of_most_pairs),
        cmocka_unit_test(one_level_or_a_damaged_one_has_none),
        cmocka_unit_test(noise_is_no_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
