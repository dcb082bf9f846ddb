/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows as they are stored with sdot, or smull, smlal2 and sadalp, four rows side by side. vectors_neon.h puts the weights together.
 */
#include "micro/families/blocks/blocks_neon.h"
#include "micro/formats/iq2_s_standin/vectors_neon.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** Four sums of columns 16 i … + 15. */
ROWS_INLINE int32x4_t columns(const uint8_t *weights, uint64_t upper, uint8x16_t signs, int i, const int8_t *a)
{
    return tile_dot(vdupq_n_s32(0), values_of(weights, upper, signs, i), vld1q_s8(a + 16 * i));
}

/** 64 columns, of four scales. */
ROWS_INLINE int32x4_t add_columns(int32x4_t whole, const uint8_t *weights, uint64_t upper, uint8x16_t signs,
                                  uint16x4_t scales, int i, const int8_t *a)
{
    int32x4_t scale = vreinterpretq_s32_u32(vmovl_u16(scales));
    whole = vmlaq_laneq_s32(whole, columns(weights, upper, signs, i, a), scale, 0);
    whole = vmlaq_laneq_s32(whole, columns(weights, upper, signs, i + 1, a), scale, 1);
    whole = vmlaq_laneq_s32(whole, columns(weights, upper, signs, i + 2, a), scale, 2);
    return vmlaq_laneq_s32(whole, columns(weights, upper, signs, i + 3, a), scale, 3);
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    uint8x16_t first = vld1q_u8(weights + BLOCK_SIGNS), second = vld1q_u8(weights + BLOCK_SIGNS + 16);
    uint8x16_t bytes = group_scales(weights);
    uint16x8_t low = vmovl_u8(vget_low_u8(bytes)), high = vmovl_high_u8(bytes);
    int32x4_t whole = vdupq_n_s32(0);
    uint64_t upper;
    memcpy(&upper, weights + BLOCK_UPPER, sizeof upper);
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
    whole = add_columns(whole, weights, upper, first, vget_low_u16(low), 0, q);
    whole = add_columns(whole, weights, upper, first, vget_high_u16(low), 4, q);
    whole = add_columns(whole, weights, upper, second, vget_low_u16(high), 8, q);
    whole = add_columns(whole, weights, upper, second, vget_high_u16(high), 12, q);
    return BLOCK_ADD(sum, whole, 3, block_scale(weights) * a->scale);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/iq2_s_standin/kernel.h"

const struct kernel SELF = IQ2_S_KERNEL(1024); /* predicted: no core of aarch64 has been timed */

#include "micro/frames/gamma.h"
