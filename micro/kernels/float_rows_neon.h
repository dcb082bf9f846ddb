/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() on aarch64 of a format whose panel is one row of floats, widened to 32 bits without loss and multiplied as they are. The
 * including .c defines, before it,
 *
 *   STEP_COLUMNS, STEP_BYTES   by the format's layout.h
 *   FLOATS_INLINE struct floats8 widen(const uint8_t *weights)   eight columns
 *
 * Two sums of four lanes for each of four rows: 8 chains of fmla, whose latency of 4 cycles two pipes hide.
 */
#ifndef MICRO_KERNELS_FLOAT_ROWS_NEON_H
#define MICRO_KERNELS_FLOAT_ROWS_NEON_H

#include <arm_neon.h>

#include "micro/kernels/rows.h"

struct floats8 {
    float32x4_t low, high;
};

enum { FLOAT_BYTES = STEP_BYTES / STEP_COLUMNS };

extern const struct format SELF_FORMAT;

ROWS_INLINE struct floats8 widen(const uint8_t *weights);

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    struct floats8 sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = (struct floats8){vdupq_n_f32(0), vdupq_n_f32(0)};
    for (size_t step = 0; step < slice->steps; step++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            rows_prefetch(weights[r] + step * STEP_BYTES, STEP_BYTES, slice->prefetch_bytes);
#pragma GCC unroll 4
        for (size_t column = 0; column < STEP_COLUMNS; column += 8) {
            const float *activations = slice->activations_f32 + step * STEP_COLUMNS + column;
            float32x4_t low = vld1q_f32(activations), high = vld1q_f32(activations + 4);
#pragma GCC unroll 4
            for (int r = 0; r < count; r++) {
                struct floats8 w = widen(weights[r] + step * STEP_BYTES + column * FLOAT_BYTES);
                sum[r].low = vfmaq_f32(sum[r].low, w.low, low);
                sum[r].high = vfmaq_f32(sum[r].high, w.high, high);
            }
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out_f32[row[r]] = vaddvq_f32(vaddq_f32(sum[r].low, sum[r].high));
}

ROWS_GEMV

#define FLOAT_ROWS_KERNEL                                                                                              \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_NAME, .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,              \
        .float_sums = 8, .lossless = true, .gemv = gemv,                                                               \
    }

#endif
