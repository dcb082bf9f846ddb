/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fcvtl and fcvtl2 widen eight columns, exactly.
 */
#include "micro/formats/f16/layout.h"

#include "micro/families/floats/float_rows_aarch64.h"

ROWS_INLINE struct float_pair widen(const uint8_t *weights)
{
    float16x8_t halves = vreinterpretq_f16_u8(vld1q_u8(weights));
    return (struct float_pair){vcvt_f32_f16(vget_low_f16(halves)), vcvt_high_f32_f16(halves)};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;
