/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fcvtl and fcvtl2 widen eight columns, exactly. Of 32 columns 4 each and 8 fmla. By llvm-mca's models Neoverse N1, fcvtl on one of 2 pipes in 2
 * cycles: >= 16.0. V1, V2, on 2 of 4 pipes: >= 8.0.
 */
#define FLOAT_REGISTERS 1
#include "micro/families/floats/float_rows_aarch64.h"

ROWS_INLINE void float_load(tile_bytes *to, const uint8_t *weights)
{
    *to = tile_load(weights);
}

ROWS_INLINE struct float_pair widen(const tile_bytes *weights)
{
    float16x8_t halves = vreinterpretq_f16_u8(*weights);
    return (struct float_pair){vcvt_f32_f16(vget_low_f16(halves)), vcvt_high_f32_f16(halves)};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;

#include "micro/frames/gamma.h"
