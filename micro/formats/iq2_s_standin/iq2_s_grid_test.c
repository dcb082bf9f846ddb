/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "micro/formats/iq2_s_standin/grid.h"
#include "micro/kernel.h"
#include "unit_test.h"

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

TEST(the_grid_is_the_shortest_vectors_in_order)
{
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

/** Weights so small that a quotient by their scale is not finite, and all as large as the largest, which is no vector of the
 * grid: some of them become 8 beside 25. */
TEST(weights_of_any_size_are_quantized)
{
    static const float sizes[] = {0, 1e-44f, 1e-39f, 1, 1e4f};
    const struct format *format = format_find("iq2_s_standin");
    float w[256];
    uint8_t block[82];
    assert_non_null(format);
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (size_t i = 0; i < 256; i++)
            w[i] = i % 3 ? sizes[size] : -sizes[size];
        format->pack(w, 256, block);
        for (uint32_t i = 0; i < 256; i++) {
            double weight = format_weight(format, block, 256, 0, i), error = fabs(weight - (double)w[i]);
            assert_true(sizes[size] < 1e-6f ? error < 1e-6 : error < 0.75 * (double)sizes[size]);
        }
    }
}

RUN_TESTS(NULL, NULL)
