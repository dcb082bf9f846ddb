/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: mask, shift and subtract 8 to signed bytes, two sdot a block, both scales for each block.
 */
#include "micro/families/blocks/rows_reference.h"

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct reference_operand *a)
{
    const uint8x16_t codes = vld1q_u8(weights + BLOCK_CODES);
    const int8x16_t low = vsubq_s8(vreinterpretq_s8_u8(vandq_u8(codes, vdupq_n_u8(15))), vdupq_n_s8(8));
    const int8x16_t high = vsubq_s8(vreinterpretq_s8_u8(vshrq_n_u8(codes, 4)), vdupq_n_s8(8));
    return add_signed(sum, low, high, block_scale(weights), a->part);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/families/blocks/rows_reference_gemm.h"

const struct kernel SELF = REFERENCE_KERNEL("one sum where its original has two; not timed beside it");

#include "micro/frames/gamma.h"
