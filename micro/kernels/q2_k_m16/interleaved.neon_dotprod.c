/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by four bytes: activations come by element. See q2_k/panels_neon.h.
 */
#include "micro/kernels/q2_k_m16/layout.h"
#include "micro/kernels/registers_aarch64.h"

enum { PANEL_D = 0, PANEL_DMIN = 32, GROUP_BYTES = 64, CODES = 320, LINE = 4 * BLOCK_ROWS };

#define Q2_K_DMIN_AT(row)         (PANEL_DMIN + 2 * (row))
#define Q2_K_GROUP_AT(row, group) (GROUP_BYTES + (group) / 4 * LINE + 4 * (row) + (group) % 4)

ROWS_INLINE uint8x16_t field_of(uint8x16_t codes, int n);

/** Groups 8 h + 2 n + s: field n of lines 8 h + 4 s … 8 h + 4 s + 3. */
ROWS_INLINE int32x4_t group_products(const uint8_t *block, size_t vector, size_t half, int in,
                                     const int8_t *activations)
{
    const uint8_t *codes = block + CODES + LINE * (8 * half + (size_t)(in % 2 * 4)) + 16 * vector;
    uint8x16_t w[4];
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++)
        w[p] = field_of(vld1q_u8(codes + LINE * p), in / 2);
    return tile_dot_fours(vdupq_n_s32(0), w, vld1q_s8(activations));
}

ROWS_INLINE uint8x16_t group_words(const uint8_t *block, size_t vector, size_t half, size_t m)
{
    return vld1q_u8(block + GROUP_BYTES + LINE * (2 * half + m) + 16 * vector);
}

#include "micro/kernels/q2_k/panels_neon.h"
