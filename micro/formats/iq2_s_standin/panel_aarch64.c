/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of iq2_s_standin: vectors are loaded and take their signs once for all tokens, then smmla, sdot, or smull, smlal and sadalp:
 * gemm_unpacked_aarch64.h. The sums of each 16 columns are scaled, as integers, since no byte holds 43 times a scale of 31.
 */
#include "micro/formats/iq2_s_standin/vectors_neon.h"

#define GEMM_COLUMNS  BLOCK_COLUMNS
#define GEMM_INTEGERS 0
#define GEMM_GROUPS   1
#define GEMM_MINIMA   0
#include "micro/families/blocks/gemm_unpacked_aarch64.h"

/** Values and scales of one of four rows of eight groups, those of half a block. */
ROWS_INLINE void unpack_row(const uint8_t *weights, size_t half, int8x16_t *values)
{
    uint8x16_t signs = vld1q_u8(weights + BLOCK_SIGNS + 16 * half);
    uint64_t upper;
    memcpy(&upper, weights + BLOCK_UPPER, sizeof upper);
    upper >>= 32 * half;
    const uint8_t *indices = weights + 16 * half;
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        values[i] = values_of(indices, upper, signs, i);
}

ROWS_INLINE void unpack_scales(struct gemm_quad from, struct gemm_block *to)
{
    for (size_t r = 0; r < 4; r++) {
        uint8_t scales[GEMM_SIXTEENS];
        vst1q_u8(scales, group_scales(from.row[r]));
        for (size_t group = 0; group < GEMM_SIXTEENS; group++)
            to->scale[group][4 * from.number + r] = scales[group];
    }
    vst1q_f32(to->d + 4 * from.number, vmulq_n_f32(quad_halves_of_rows(from.row, 0), 0.125f));
}

ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
{
    (void)columns; /* K is a multiple of a block */
    unpack_scales(from, to);
#pragma GCC unroll 1
    for (size_t half = 0; half < 2; half++) {
        int8x16_t values[4][8];
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++)
            unpack_row(from.row[r], half, values[r]);
#pragma GCC unroll 8
        for (size_t i = 0; i < 8; i++) {
            const uint8x16_t row[4] = {vreinterpretq_u8_s8(values[0][i]), vreinterpretq_u8_s8(values[1][i]),
                                       vreinterpretq_u8_s8(values[2][i]), vreinterpretq_u8_s8(values[3][i])};
            uint8x16_t q[4];
            quad_of_registers(row, q);
            gemm_put(to, from, 8 * half + i, q);
        }
    }
}

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
