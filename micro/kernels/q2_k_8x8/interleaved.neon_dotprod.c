/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by eight bytes: a register has two words of each of two rows, which meet eight activations in every place and are
 * added to their neighbours at the end of the group. See q2_k/panels_neon.h.
 */
#include "micro/kernels/q2_k_8x8/panel_aarch64.h"
#include "micro/kernels/registers_aarch64.h"

/** Groups 8 h + 2 n + s: field n of lines 4 h + 2 s and 4 h + 2 s + 1. */
ROWS_INLINE int32x4_t group_products(const uint8_t *block, size_t vector, size_t half, int in,
                                     const int8_t *activations)
{
    const uint8_t *codes = block + CODES + LINE * (4 * half + (size_t)(in % 2 * 2)) + 32 * vector;
    int32x4_t sum[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
#pragma GCC unroll 2
    for (int eight = 0; eight < 2; eight++) {
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++)
            sum[i] = tile_dot_eights(sum[i], quad_crumb(vld1q_u8(codes + LINE * eight + 16 * i), in / 2),
                                     activations + 8 * eight);
    }
    return tile_add_neighbours(sum[0], sum[1]);
}

#include "micro/kernels/q2_k/panels_neon.h"
