/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV by bfdot, four for 32 columns on registers of 128 bits, two on those of 256: pairs of products of bfloat16 are added to floats, 16 sums a row. Numbers below the normal ones count
 * as 0, and each of both additions is rounded. Neoverse N2, 2 pipes: >= 2.0 cycles. V2, 4 pipes: >= 1.0. V1, by 4 pipes or 2 of 256 bits: >= 1.0.
 */
#include "micro/isa/registers_aarch64.h"

enum { HALF_REGISTERS = 16 / TILE_ROWS };

typedef struct {
    tile_floats of[HALF_REGISTERS];
} half_sums;

#define HALF_SUMS  8      /* two roundings for two terms, in 16 lanes */
#define HALF_ERROR 0x1p-8 /* half of the last of 7 bits after the point */

ROWS_INLINE half_sums half_zero(void)
{
    half_sums sum;
#pragma GCC unroll 4
    for (int i = 0; i < HALF_REGISTERS; i++)
        sum.of[i] = tile_zero_floats();
    return sum;
}

ROWS_INLINE half_sums half_add(half_sums sum, tile_bytes weights, tile_bytes activations, int number)
{
#ifdef __ARM_FEATURE_SVE
    svbfloat16_t w = svreinterpret_bf16_u8(weights), a = svreinterpret_bf16_u8(activations);
    sum.of[number % HALF_REGISTERS] = svbfdot_f32(sum.of[number % HALF_REGISTERS], w, a);
#else
    bfloat16x8_t w = vreinterpretq_bf16_u8(weights), a = vreinterpretq_bf16_u8(activations);
    sum.of[number % HALF_REGISTERS] = vbfdotq_f32(sum.of[number % HALF_REGISTERS], w, a);
#endif
    return sum;
}

ROWS_INLINE float half_total(half_sums sum)
{
#pragma GCC unroll 4
    for (int i = HALF_REGISTERS / 2; i > 0; i /= 2) {
#pragma GCC unroll 2
        for (int j = 0; j < i; j++)
            sum.of[j] = tile_add_floats(sum.of[j], sum.of[j + i]);
    }
    return tile_floats_sum(sum.of[0]);
}

static float half_factor(float most)
{
    (void)most; /* their range is that of floats */
    return 1;
}

#define half_round bfloat_from_float
#define half_value bfloat_to_float
#include "micro/families/floats/half_rows_aarch64.h"

const struct kernel SELF = HALF_ROWS_KERNEL;

#include "micro/frames/gamma.h"
