/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sensitivities, how many groups a share is, which they are, and orders: each group once, at a place of its kind.
 */
#include "micro/mixed_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "micro/kernels/random.h"

enum { GROUPS_MOST = 64 };

static void sensitivity_is_a_sum_of_squares(void **state)
{
    (void)state;
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

static void a_share_is_the_next_whole_number(void **state)
{
    (void)state;
    assert_int_equal(mixed_count(0, 10), 0);
    assert_int_equal(mixed_count(0.1, 10), 1);
    assert_int_equal(mixed_count(0.3, 10), 3); /* 0.3 * 10 > 3 */
    assert_int_equal(mixed_count(0.1, 11), 2);
    assert_int_equal(mixed_count(1, 10), 10);
    for (size_t groups = 1; groups <= 4096; groups++)
        assert_int_equal(mixed_count(0.25, groups), (groups + 3) / 4);
}

static void the_largest_are_raised(void **state)
{
    (void)state;
    const double value[6] = {1, 5, 3, 5, 4, 9};
    uint8_t kind[6] = {0, 0, 0, 0, 0, MIXED_BITS4};
    mixed_raise(value, 6, 2, MIXED_BITS2_SCALE3, MIXED_BITS2_SCALE4, kind);
    const uint8_t two[6] = {0, 1, 0, 1, 0, MIXED_BITS4};
    assert_memory_equal(kind, two, 6);
    mixed_raise(value, 6, 9, MIXED_BITS2_SCALE3, MIXED_BITS4, kind); /* no more than there are */
    const uint8_t all[6] = {2, 1, 2, 1, 2, 2};
    assert_memory_equal(kind, all, 6);
}

/** Kinds of a quarter in 4 bits, at random places. */
static void draw_kinds(size_t groups, uint8_t *kind, uint64_t *random)
{
    double value[GROUPS_MOST];
    const size_t four = mixed_count(0.25, groups);
    memset(kind, MIXED_BITS2_SCALE3, groups);
    for (size_t g = 0; g < groups; g++)
        value[g] = (double)random_float(random);
    mixed_raise(value, groups, four, MIXED_BITS2_SCALE3, MIXED_BITS4, kind);
    mixed_raise(value, groups, (groups - four + 2) / 3, MIXED_BITS2_SCALE3, MIXED_BITS2_SCALE4, kind);
}

static void orders_are_permutations_by_kind(void **state)
{
    (void)state;
    static const enum mixed_kind places[4] = {MIXED_BITS2_SCALE4, MIXED_BITS2_SCALE3, MIXED_BITS2_SCALE3, MIXED_BITS4};
    uint64_t random = 1;
    for (size_t groups = 1; groups <= GROUPS_MOST; groups++) {
        uint8_t kind[GROUPS_MOST];
        uint16_t order[GROUPS_MOST];
        bool seen[GROUPS_MOST] = {false};
        const size_t padded = (groups + 3) / 4 * 4;
        draw_kinds(groups, kind, &random);
        assert_int_equal(mixed_order(kind, groups, order), 0);
        for (size_t p = 0; p < padded; p++) {
            assert_true(order[p] < padded && !seen[order[p]]);
            seen[order[p]] = true;
            assert_true(order[p] >= groups || kind[order[p]] == places[p % 4]);
            for (size_t q = 0; q < p; q++) /* those of a kind as they come */
                assert_true(places[q % 4] != places[p % 4] || order[q] < order[p]);
        }
    }
}

static void other_shares_have_no_order(void **state)
{
    (void)state;
    uint16_t order[8];
    const uint8_t more[8] = {0, 0, 0, 1, 1, MIXED_BITS4, MIXED_BITS4, MIXED_BITS4},
                  fewer[8] = {0, 0, 0, 0, 0, 1, 1, MIXED_BITS4};
    const uint8_t scales[8] = {0, 0, 0, 1, 1, 1, MIXED_BITS4, MIXED_BITS4};
    assert_int_equal(mixed_order(more, 8, order), -EINVAL);
    assert_int_equal(mixed_order(fewer, 8, order), -EINVAL);
    assert_int_equal(mixed_order(scales, 8, order), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sensitivity_is_a_sum_of_squares), cmocka_unit_test(a_share_is_the_next_whole_number),
        cmocka_unit_test(the_largest_are_raised),          cmocka_unit_test(orders_are_permutations_by_kind),
        cmocka_unit_test(other_shares_have_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
