/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rest of gemm_rows.h for sums of floats on aarch64, a lane a column, and activations that stay floats. One text for Neon and for 256-bit SVE.
 */
#ifndef MICRO_FAMILIES_FLOATS_GEMM_ROWS_F32_AARCH64_H
#define MICRO_FAMILIES_FLOATS_GEMM_ROWS_F32_AARCH64_H

#include <stdbool.h>

#include "micro/frames/rows.h"
#include "micro/gemm_slice.h"
#include "micro/isa/registers_aarch64.h"

#define gemm_sums   tile_floats
#define GEMM_TOKENS 6
#ifndef gemm_vector /* of what is rounded */
#define gemm_vector  tile_floats
#define GEMM_COLUMNS TILE_ROWS

ROWS_INLINE gemm_vector gemm_activations(const void *activations, size_t column)
{
    return tile_load_floats((const float *)activations + column);
}

ROWS_INLINE gemm_sums gemm_dot(gemm_sums sum, gemm_vector weights, gemm_vector activations)
{
    return tile_fused(sum, weights, activations);
}
#endif

ROWS_INLINE gemm_sums gemm_zero(void)
{
    return tile_zero_floats();
}

/** Sums of the lanes of four registers. */
ROWS_INLINE float32x4_t gemm_four(const gemm_sums *sum)
{
#ifdef __ARM_FEATURE_SVE
    return (float32x4_t){tile_floats_sum(sum[0]), tile_floats_sum(sum[1]), tile_floats_sum(sum[2]),
                         tile_floats_sum(sum[3])};
#else
    return vpaddq_f32(vpaddq_f32(sum[0], sum[1]), vpaddq_f32(sum[2], sum[3]));
#endif
}

ROWS_INLINE void gemm_put(const struct gemm_slice *slice, const gemm_sums *sum, size_t row, int rows, size_t token,
                          bool first, bool last)
{
    (void)last;
    float *out = slice->out + token * slice->out_stride + row;
    if (rows == 1) {
        *out = tile_floats_sum(sum[0]) + (first ? 0 : *out);
        return;
    }
    float32x4_t four = gemm_four(sum);
    vst1q_f32(out, first ? four : vaddq_f32(four, vld1q_f32(out)));
}

/** SELF_MODEL: of one token, the sequence of the same format. */
#define GEMM_FLOATS_KERNEL                                                                                             \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_MODEL, .prefetch_bytes = 1024 /* predicted: no core of aarch64 has been timed */,                \
        .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = 2 * TILE_ROWS, .gemm = GEMM,               \
    }

#endif
