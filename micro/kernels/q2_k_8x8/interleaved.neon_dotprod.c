/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by eight bytes: a register has two words of each of two rows, which meet eight activations in every place and are
 * added to their neighbours at the end of the group. See q2_k/panels_neon.h.
 */
#include "micro/kernels/q2_k_8x8/layout.h"
#include "micro/kernels/registers_aarch64.h"

enum { PANEL_D = 0, PANEL_DMIN = 16, GROUP_BYTES = 32, CODES = 160, LINE = 8 * BLOCK_ROWS };

#define Q2_K_DMIN_AT(row)         (PANEL_DMIN + 2 * (row))
#define Q2_K_GROUP_AT(row, group) (GROUP_BYTES + (group) / 2 * 16 + 2 * (row) + (group) % 2)

ROWS_INLINE uint8x16_t field_of(uint8x16_t codes, int n);

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
            sum[i] = tile_dot_eights(sum[i], field_of(vld1q_u8(codes + LINE * eight + 16 * i), in / 2),
                                     activations + 8 * eight);
    }
    return tile_add_neighbours(sum[0], sum[1]);
}

/** Two groups of a row are neighbours; zipped with the next two they are a word. */
ROWS_INLINE uint8x16_t group_words(const uint8_t *block, size_t vector, size_t half, size_t m)
{
    const uint8_t *pairs = block + GROUP_BYTES + 16 * (4 * half + 2 * m) + 8 * vector;
    uint16x4_t first = vreinterpret_u16_u8(vld1_u8(pairs)), second = vreinterpret_u16_u8(vld1_u8(pairs + 16));
    return vreinterpretq_u8_u16(vcombine_u16(vzip1_u16(first, second), vzip2_u16(first, second)));
}

#include "micro/kernels/q2_k/panels_neon.h"
