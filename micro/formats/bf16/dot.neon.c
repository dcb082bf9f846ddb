/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shll and shll2 widen eight columns: bfloat16 is the upper half of binary32.
 */
#include "micro/formats/bf16/layout.h"

#include "micro/families/floats/float_rows_aarch64.h"

ROWS_INLINE struct float_pair widen(const uint8_t *weights)
{
    uint16x8_t halves = vreinterpretq_u16_u8(vld1q_u8(weights));
    return (struct float_pair){vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(halves), 16)),
                               vreinterpretq_f32_u32(vshll_high_n_u16(halves, 16))};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;
