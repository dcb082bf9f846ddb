/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing to widen.
 */
#include "micro/formats/f32/layout.h"

#include "micro/families/floats/float_rows_aarch64.h"

ROWS_INLINE struct float_pair widen(const uint8_t *weights)
{
    return (struct float_pair){vreinterpretq_f32_u8(vld1q_u8(weights)), vreinterpretq_f32_u8(vld1q_u8(weights + 16))};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;
