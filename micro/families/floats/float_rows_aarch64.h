/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() on aarch64 of a format whose panel is one row of floats, widened to 32 bits without loss and multiplied as they are. One text for Neon and
 * for 256-bit SVE. The including .c defines, before it,
 *
 *   STEP_COLUMNS, STEP_BYTES   by the format's layout.h
 *   ROWS_INLINE struct float_pair widen(const uint8_t *weights)   FLOAT_COLUMNS columns, two registers
 *
 * Two sums for each of four rows: 8 chains of fmla, whose latency of 4 cycles two pipes hide.
 */
#ifndef MICRO_FAMILIES_FLOATS_FLOAT_ROWS_AARCH64_H
#define MICRO_FAMILIES_FLOATS_FLOAT_ROWS_AARCH64_H

#include "micro/frames/rows.h"
#include "micro/isa/registers_aarch64.h"

struct float_pair {
    tile_floats low, high;
};

enum { FLOAT_BYTES = STEP_BYTES / STEP_COLUMNS, FLOAT_COLUMNS = 2 * TILE_ROWS };

extern const struct format SELF_FORMAT;

ROWS_INLINE struct float_pair widen(const uint8_t *weights);

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    struct float_pair sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = (struct float_pair){tile_zero_floats(), tile_zero_floats()};
    for (size_t step = 0; step < slice->steps; step++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            rows_prefetch(weights[r] + step * STEP_BYTES, STEP_BYTES, slice->prefetch_bytes);
#pragma GCC unroll 4
        for (size_t column = 0; column < STEP_COLUMNS; column += FLOAT_COLUMNS) {
            const float *activations = slice->activations_f32 + step * STEP_COLUMNS + column;
            tile_floats low = tile_load_floats(activations), high = tile_load_floats(activations + TILE_ROWS);
#pragma GCC unroll 4
            for (int r = 0; r < count; r++) {
                struct float_pair w = widen(weights[r] + step * STEP_BYTES + column * FLOAT_BYTES);
                sum[r].low = tile_fused(sum[r].low, w.low, low);
                sum[r].high = tile_fused(sum[r].high, w.high, high);
            }
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out_f32[row[r]] = tile_floats_sum(tile_add_floats(sum[r].low, sum[r].high));
}

ROWS_GEMV

#define FLOAT_ROWS_KERNEL                                                                                              \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_NAME, .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,              \
        .float_sums = FLOAT_COLUMNS, .lossless = true, .gemv = gemv,                                                   \
    }

#endif
