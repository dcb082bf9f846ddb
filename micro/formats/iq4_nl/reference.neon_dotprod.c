/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: nibbles are parted and looked up by tbl, two sdot a block.
 */
#include "micro/families/blocks/rows_reference.h"
#include "micro/formats/iq4_nl/codebook.h"

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct reference_operand *a)
{
    static const int8_t values[16] = {IQ4_NL_CODEBOOK};
    const uint8x16_t codes = vld1q_u8(weights + BLOCK_CODES);
    const int8x16_t low = vqtbl1q_s8(vld1q_s8(values), vandq_u8(codes, vdupq_n_u8(15)));
    const int8x16_t high = vqtbl1q_s8(vld1q_s8(values), vshrq_n_u8(codes, 4));
    return add_signed(sum, low, high, block_scale(weights), a->part);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/families/blocks/rows_reference_gemm.h"

const struct kernel SELF = REFERENCE_KERNEL("one sum where its original has two; not timed beside it");

#include "micro/frames/gamma.h"
