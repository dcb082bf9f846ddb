/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "micro/kernels/iq2_s_standin/grid.h"

/** The 6561 vectors in any order: how many come before one. */
static size_t count_before(uint64_t vector)
{
    static const uint64_t magnitude[] = {8, 25, 43};
    size_t before = 0;
    for (uint32_t number = 0; number < 6561; number++) {
        uint64_t other = 0;
        for (uint32_t j = 0, rest = number; j < 8; j++, rest /= 3)
            other |= magnitude[rest % 3] << 8 * j;
        before += (size_t)iq2_s_before(other, vector);
    }
    return before;
}

static void the_grid_is_the_shortest_vectors_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < 1024; i++) {
        for (uint32_t j = 0; j < 8; j++) {
            int32_t magnitude = iq2_s_magnitude(iq2_s_grid[i], j);
            assert_true(magnitude == 8 || magnitude == 25 || magnitude == 43);
        }
        assert_true(i == 0 || iq2_s_before(iq2_s_grid[i - 1], iq2_s_grid[i]));
    }
    assert_int_equal(iq2_s_grid[0], 0x0808080808080808);
    assert_int_equal(count_before(iq2_s_grid[1023]), 1023);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_grid_is_the_shortest_vectors_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
