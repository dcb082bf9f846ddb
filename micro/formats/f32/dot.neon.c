/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing to widen: 8 fmla for 32 columns. Neoverse N1, 2 pipes: >= 4.0 cycles. V1, V2, 4 pipes: >= 2.0.
 */
#define FLOAT_REGISTERS 2
#include "micro/families/floats/float_rows_aarch64.h"

ROWS_INLINE void float_load(tile_bytes *to, const uint8_t *weights)
{
    to[0] = tile_load(weights);
    to[1] = tile_load(weights + TILE_BYTES);
}

ROWS_INLINE struct float_pair widen(const tile_bytes *weights)
{
    return (struct float_pair){vreinterpretq_f32_u8(weights[0]), vreinterpretq_f32_u8(weights[1])};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;

#include "micro/frames/gamma.h"
