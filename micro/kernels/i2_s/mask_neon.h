/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: fields stay in their place, but the upper one, which would be negative there; sums of weight 1, 4 and 16 are
 * joined at the end of the row. A vector of activations serves all four rows.
 */
#include "micro/kernels/blocks_neon.h"
#include "micro/kernels/i2_s/layout.h"

extern const struct format SELF_FORMAT;

struct sums {
    int32x4_t ones, fours, sixteens;
};

/** 16 bytes of a row and the activations of their fields, 32 columns apart. */
ROWS_INLINE void add_fields(struct sums *sum, uint8x16_t codes, const int8x16_t *activations)
{
    const uint8x16_t mask = vdupq_n_u8(3);
    sum->ones = block_dot(sum->ones, vreinterpretq_s8_u8(vshrq_n_u8(codes, 6)), activations[0]);
    sum->sixteens = block_dot(sum->sixteens, vreinterpretq_s8_u8(vandq_u8(codes, vshlq_n_u8(mask, 4))), activations[1]);
    sum->fours = block_dot(sum->fours, vreinterpretq_s8_u8(vandq_u8(codes, vshlq_n_u8(mask, 2))), activations[2]);
    sum->ones = block_dot(sum->ones, vreinterpretq_s8_u8(vandq_u8(codes, mask)), activations[3]);
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    struct sums sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = (struct sums){vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0)};
    for (size_t step = 0; step < slice->steps; step++) {
        const int8_t *columns = slice->activations + step * STEP_COLUMNS;
        if (step % 2 == 0) { /* once a line */
#pragma GCC unroll 4
            for (int r = 0; r < count; r++)
                rows_prefetch(weights[r] + step * STEP_BYTES, 2 * STEP_BYTES, slice->prefetch_bytes);
        }
#pragma GCC unroll 2
        for (size_t half = 0; half < 2; half++) {
            int8x16_t a[4];
#pragma GCC unroll 4
            for (size_t f = 0; f < 4; f++)
                a[f] = vld1q_s8(columns + 32 * f + 16 * half);
#pragma GCC unroll 4
            for (int r = 0; r < count; r++)
                add_fields(&sum[r], vld1q_u8(weights[r] + step * STEP_BYTES + 16 * half), a);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        int32x4_t whole = vsraq_n_s32(vsraq_n_s32(sum[r].ones, sum[r].fours, 2), sum[r].sixteens, 4);
        slice->out[row[r]] = add_wrapping(vaddvq_s32(whole), slice->correction);
    }
}

ROWS_GEMV

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_NAME,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
};
