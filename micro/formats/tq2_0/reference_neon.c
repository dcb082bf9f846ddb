/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: shift, mask and multiply each field, the columns of a field in their order: ternary_reference_neon.h.
 */
#include "micro/families/blocks/ternary_reference_neon.h"

enum { SCALE = 64 }; /* where a block has it */

#define FIELD(codes, bits) vandq_u8(vshrq_n_u8(codes, bits), mask)

ROWS_INLINE struct ternary_sums add_half(struct ternary_sums sums, const uint8_t *weights, const int8_t *a)
{
    const uint8x16_t mask = vdupq_n_u8(3), low = vld1q_u8(weights), high = vld1q_u8(weights + 16);
    sums = ternary_add(sums, vandq_u8(low, mask), vandq_u8(high, mask), a);
    sums = ternary_add(sums, FIELD(low, 2), FIELD(high, 2), a + 32);
    sums = ternary_add(sums, FIELD(low, 4), FIELD(high, 4), a + 64);
    return ternary_add(sums, FIELD(low, 6), FIELD(high, 6), a + 96);
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256_packed *a)
{
    struct ternary_sums sums = add_half(ternary_zero(), weights, a->q);
    return ternary_finish(sum, add_half(sums, weights + 32, a->q + 128), weights + SCALE, a);
}

#include "micro/families/blocks/block_rows.h"

const struct kernel SELF = TERNARY_REFERENCE_KERNEL;

#include "micro/frames/gamma.h"
