/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Weights of iq2_s_standin with Neon, to be scaled: numbers are put together in integer registers, vectors loaded from the grid, and
 * magnitudes take the signs.
 */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_VECTORS_NEON_H
#define MICRO_FORMATS_IQ2_S_STANDIN_VECTORS_NEON_H

#include <arm_neon.h>

#include "micro/formats/iq2_s_standin/grid.h"
#include "micro/frames/rows.h"

/** Twice the scale and 1, of each 16 columns. */
ROWS_INLINE uint8x16_t group_scales(const uint8_t *weights)
{
    uint8x8_t bytes = vld1_u8(weights + BLOCK_SCALES), low = vand_u8(bytes, vdup_n_u8(15)), high = vshr_n_u8(bytes, 4);
    uint8x16_t scales = vcombine_u8(vzip1_u8(low, high), vzip2_u8(low, high));
    return vaddq_u8(vaddq_u8(scales, scales), vdupq_n_u8(1));
}

ROWS_INLINE uint8x8_t vector_of(const uint8_t *weights, uint64_t upper, int v)
{
    uint64_t bits = v < 4 ? upper << (8 - 2 * v) : upper >> (2 * v - 8);
    return vcreate_u8(iq2_s_grid[weights[BLOCK_INDICES + v] | (bits & 0x300)]);
}

/** Columns 16 i … + 15. */
ROWS_INLINE int8x16_t values_of(const uint8_t *weights, uint64_t upper, uint8x16_t signs, int i)
{
    const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    uint8x16_t bytes =
        vcombine_u8(vdup_n_u8((uint8_t)(2 * (i % 8))), vdup_n_u8((uint8_t)(2 * (i % 8) + 1))); /* of the signs */
    uint8x16_t negative = vtstq_u8(vqtbl1q_u8(signs, bytes), bit);
    uint8x16_t magnitudes = vcombine_u8(vector_of(weights, upper, 2 * i), vector_of(weights, upper, 2 * i + 1));
    return vreinterpretq_s8_u8(vsubq_u8(veorq_u8(magnitudes, negative), negative));
}

#endif
