/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shll and shll2 widen eight columns: bfloat16 is the upper half of binary32. Of 32 columns 4 each and 8 fmla. Neoverse N1, shll on one of 2 pipes:
 * >= 8.0 cycles. V1, V2, on 2 of 4: >= 4.0.
 */
#define FLOAT_REGISTERS 1
#include "micro/families/floats/float_rows_aarch64.h"

ROWS_INLINE void float_load(tile_bytes *to, const uint8_t *weights)
{
    *to = tile_load(weights);
}

ROWS_INLINE struct float_pair widen(const tile_bytes *weights)
{
    uint16x8_t halves = vreinterpretq_u16_u8(*weights);
    return (struct float_pair){vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(halves), 16)),
                               vreinterpretq_f32_u32(vshll_high_n_u16(halves, 16))};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;

#include "micro/frames/gamma.h"
