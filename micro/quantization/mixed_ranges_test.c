/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranges of groups: of rows and of columns, at shares of them.
 */
#include "micro/quantization/mixed_ranges.h"

#include "unit_test.h"

#include <math.h>
#include <stdlib.h>

TEST(one_group_of_ten_is_wide)
{
    enum { M = 2, GROUPS = 10, K = 16 * GROUPS };
    float w[M * K] = {0};
    struct mixed_ranges ranges;
    for (size_t g = 0; g < M * GROUPS; g++) {
        w[16 * g + 3] = -1;
        w[16 * g + 9] = g % GROUPS == 4 ? 5 + 4 * (float)(g / GROUPS) : 1; /* 6 and 10 in its rows, 2 elsewhere */
    }
    assert_int_equal(mixed_ranges_of(w, M, K, &ranges), 0);
    for (size_t i = 0; i < MIXED_RANGE_SHARES; i++) {
        const double share = mixed_range_shares[i], rows = share > 0.95 ? 5 : share > 0.9 ? 3 : 1;
        assert_true(fabs(ranges.rows[i] - rows) < 1e-12);
        assert_true(fabs(ranges.columns[i] - (share > 0.9 ? 4 : 1)) < 1e-12);
    }
}

TEST(of_a_single_group_all_shares_are_alike)
{
    float w[16] = {[5] = 2, [6] = -3};
    struct mixed_ranges ranges;
    assert_int_equal(mixed_ranges_of(w, 1, 16, &ranges), 0);
    for (size_t i = 0; i < MIXED_RANGE_SHARES; i++)
        assert_true(ranges.rows[i] == 1 && ranges.columns[i] == 1);
}

TEST(without_a_range_there_is_none_to_compare_with)
{
    float w[32] = {0};
    struct mixed_ranges ranges;
    assert_int_equal(mixed_ranges_of(w, 1, 32, &ranges), 0);
    assert_true(isnan(ranges.rows[0]) && isnan(ranges.columns[MIXED_RANGE_SHARES - 1]));
}

RUN_TESTS(NULL, NULL)
