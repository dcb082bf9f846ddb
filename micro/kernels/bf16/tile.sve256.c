/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows by six tokens: eight columns of a row widened as they are loaded and by a shift, then 24 multiply-adds of four rows; 24 sums, 6 activations and 1 of
 * weights are 31 registers of 256 bits.
 */
#include "micro/kernels/bf16/layout.h"

#include "micro/kernels/gemm_rows_f32_aarch64.h"

#define GEMM_VECTORS    4
#define GEMM_UNIT_BYTES (GEMM_VECTORS * GEMM_COLUMNS * STEP_BYTES / STEP_COLUMNS)

ROWS_INLINE gemm_vector gemm_weights(const uint8_t *unit, int number)
{
    svuint32_t words = svld1uh_u32(TILE_ALL, (const uint16_t *)(const void *)(unit + 16 * number));
    return svreinterpret_f32_u32(svlsl_n_u32_x(TILE_ALL, words, 16));
}

#include "micro/kernels/gemm_rows.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = GEMM_FLOATS_KERNEL("bf16.dot.sve256");
