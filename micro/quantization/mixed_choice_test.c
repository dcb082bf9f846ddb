/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sensitivities, how many groups a share is, and which they are.
 */
#include "micro/quantization/mixed_choice.h"

#include "unit_test.h"

#include <math.h>

TEST(sensitivity_is_a_sum_of_squares)
{
    float w[2 * 32] = {0};
    double inverse[32], sensitivity[2];
    for (size_t c = 0; c < 32; c++)
        inverse[c] = 0.5;
    inverse[20] = 0.25;
    w[3] = 2, w[32 + 15] = -1, w[20] = 3, w[32 + 20] = 1;
    mixed_sensitivity(w, 2, 32, inverse, sensitivity);
    assert_true(fabs(sensitivity[0] - (16 + 4)) < 1e-12);
    assert_true(fabs(sensitivity[1] - (144 + 16)) < 1e-12);
}

TEST(a_share_is_the_next_whole_number)
{
    assert_int_equal(mixed_count(0, 10), 0);
    assert_int_equal(mixed_count(0.1, 10), 1);
    assert_int_equal(mixed_count(0.3, 10), 3); /* 0.3 * 10 > 3 */
    assert_int_equal(mixed_count(0.1, 11), 2);
    assert_int_equal(mixed_count(1, 10), 10);
    for (size_t groups = 1; groups <= 4096; groups++)
        assert_int_equal(mixed_count(0.25, groups), (groups + 3) / 4);
}

TEST(the_largest_are_raised)
{
    const double value[6] = {1, 5, 3, 5, 4, 9};
    uint8_t kind[6] = {0, 0, 0, 0, 0, MIXED_BITS4};
    mixed_raise(value, 6, 2, MIXED_BITS2_SCALE3, MIXED_BITS2_SCALE4, kind);
    const uint8_t two[6] = {0, 1, 0, 1, 0, MIXED_BITS4};
    assert_memory_equal(kind, two, 6);
    mixed_raise(value, 6, 9, MIXED_BITS2_SCALE3, MIXED_BITS4, kind); /* no more than there are */
    const uint8_t all[6] = {2, 1, 2, 1, 2, 2};
    assert_memory_equal(kind, all, 6);
}

RUN_TESTS(NULL, NULL)
