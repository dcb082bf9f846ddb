/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by four bytes: activations come by element. See q2_k/interleaved_aarch64.c.
 */
#include "micro/formats/q2_k/products_aarch64.h"
#include "micro/formats/q2_k_m16/panel_aarch64.h"

ROWS_INLINE tile_bytes panel_words(const uint8_t *block, size_t row, size_t m)
{
    return tile_load(block + GROUP_BYTES + LINE * m + 4 * row);
}

/** Groups 8 h + 2 n + s: field n of lines 8 h + 4 s … 8 h + 4 s + 3. */
ROWS_INLINE tile_ints group_products(const uint8_t *block, size_t vector, size_t half, int in,
                                     const int8_t *activations)
{
    const uint8_t *codes = block + CODES + LINE * (8 * half + (size_t)(in % 2 * 4)) + TILE_BYTES * vector;
    tile_bytes w[4];
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++)
        w[p] = small_crumb(tile_load(codes + LINE * p), in / 2);
    return small_dot_fours(w, activations);
}
