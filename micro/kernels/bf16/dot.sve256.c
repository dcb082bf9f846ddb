/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads widen eight halves to words, which a shift makes floats: bfloat16 is the upper half of binary32.
 */
#include "micro/kernels/bf16/layout.h"
#include "micro/kernels/float_rows_aarch64.h"

ROWS_INLINE tile_floats widen_half(const uint8_t *weights)
{
    svuint32_t words = svld1uh_u32(TILE_ALL, (const uint16_t *)(const void *)weights);
    return svreinterpret_f32_u32(svlsl_n_u32_x(TILE_ALL, words, 16));
}

ROWS_INLINE struct float_pair widen(const uint8_t *weights)
{
    return (struct float_pair){widen_half(weights), widen_half(weights + 2 * TILE_ROWS)};
}

const struct kernel SELF = FLOAT_ROWS_KERNEL;
