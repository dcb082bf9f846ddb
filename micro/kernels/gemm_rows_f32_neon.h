/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rest of gemm_rows.h for sums of floats on aarch64, four lanes each, and activations that stay floats.
 */
#ifndef MICRO_KERNELS_GEMM_ROWS_F32_NEON_H
#define MICRO_KERNELS_GEMM_ROWS_F32_NEON_H

#include <arm_neon.h>
#include <stdbool.h>

#include "micro/gemm_slice.h"
#include "micro/kernels/rows.h"

#define gemm_sums    float32x4_t
#define gemm_vector  float32x4_t
#define GEMM_TOKENS  6
#define GEMM_COLUMNS 4

ROWS_INLINE gemm_sums gemm_zero(void)
{
    return vdupq_n_f32(0);
}

ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)
{
    return vld1q_f32((const float *)activations + column);
}

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    return vfmaq_f32(sum, weights, activations);
}

ROWS_INLINE void gemm_put(const struct gemm_slice *slice, const gemm_sums *sum, size_t row, int rows, size_t token,
                          bool first, bool last)
{
    (void)last;
    float *out = slice->out + token * slice->out_stride + row;
    if (rows == 1) {
        *out = vaddvq_f32(sum[0]) + (first ? 0 : *out);
        return;
    }
    float32x4_t four = vpaddq_f32(vpaddq_f32(sum[0], sum[1]), vpaddq_f32(sum[2], sum[3]));
    vst1q_f32(out, first ? four : vaddq_f32(four, vld1q_f32(out)));
}

/** gamma: of one token, the sequence of the same format. */
#define GEMM_FLOATS_KERNEL(of_one_token)                                                                               \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = (of_one_token), .prefetch_bytes = 1024 /* predicted: no core of aarch64 has been timed */,            \
        .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 8, .gemm = GEMM,                           \
    }

#endif
