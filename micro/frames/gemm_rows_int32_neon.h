/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rest of gemm_rows.h for exact sums of int8 activations and small codes on aarch64, four lanes each. Sums of a part of K wait in
 * out as the integers that they are.
 */
#ifndef MICRO_FRAMES_GEMM_ROWS_INT32_NEON_H
#define MICRO_FRAMES_GEMM_ROWS_INT32_NEON_H

#include <stdbool.h>

#include "micro/frames/rows.h"
#include "micro/gemm_slice.h"
#include "micro/isa/registers_aarch64.h"

#define gemm_sums    int32x4_t
#define gemm_vector  int8x16_t
#define GEMM_COLUMNS 16
#ifdef __ARM_FEATURE_DOTPROD
#define GEMM_TOKENS 6
#else
#define GEMM_TOKENS 3 /* products take registers of their own */
#endif

ROWS_INLINE gemm_sums gemm_zero(void)
{
    return vdupq_n_s32(0);
}

ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)
{
    return vld1q_s8((const int8_t *)activations + column);
}

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    sum = tile_dot(sum, weights, activations);
    ROWS_IN_REGISTER(sum); /* or sums wait in memory while loads are moved ahead */
    return sum;
}

ROWS_INLINE void gemm_put(const struct gemm_slice *slice, const gemm_sums *sum, size_t row, int rows, size_t token,
                          bool first, bool last)
{
    float *out = slice->out + token * slice->out_stride + row;
    int32x4_t four = vpaddq_s32(vpaddq_s32(sum[0], rows == 1 ? gemm_zero() : sum[1]),
                                rows == 1 ? gemm_zero() : vpaddq_s32(sum[2], sum[3]));
    int32x4_t before = vdupq_n_s32(0);
    if (!first)
        before = rows == 1 ? vld1q_lane_s32((const int32_t *)(void *)out, before, 0)
                           : vld1q_s32((const int32_t *)(void *)out);
    four = vaddq_s32(four, before);
    if (last) {
        four = vaddq_s32(four, vdupq_n_s32(slice->corrections[token]));
        four = vreinterpretq_s32_f32(vmulq_n_f32(vcvtq_f32_s32(four), slice->scales[token]));
    }
    if (rows == 1)
        vst1q_lane_s32((int32_t *)(void *)out, four, 0);
    else
        vst1q_s32((int32_t *)(void *)out, four);
}

#endif
