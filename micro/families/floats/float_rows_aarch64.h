/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() on aarch64 of a format whose panel is one row of floats, widened to 32 bits without loss and multiplied as they are. One text for Neon and
 * for 256-bit SVE. The including .c defines, before it,
 *
 *   STEP_COLUMNS, STEP_BYTES   by the format's kernels.def
 *   FLOAT_REGISTERS            that FLOAT_COLUMNS weights are loaded into: 1 or 2
 *   ROWS_INLINE void float_load(tile_bytes *to, const uint8_t *weights)
 *   ROWS_INLINE struct float_pair widen(const tile_bytes *weights)
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

ROWS_INLINE void float_load(tile_bytes *to, const uint8_t *weights);
ROWS_INLINE struct float_pair widen(const tile_bytes *weights);

/** FLOAT_COLUMNS of a row. */
ROWS_INLINE struct float_pair float_add(struct float_pair sum, const tile_bytes *weights, struct float_pair activations)
{
    struct float_pair w = widen(weights);
    return (struct float_pair){tile_fused(sum.low, w.low, activations.low),
                               tile_fused(sum.high, w.high, activations.high)};
}

ROWS_INLINE struct float_pair float_activations(const float *at)
{
    return (struct float_pair){tile_load_floats(at), tile_load_floats(at + TILE_ROWS)};
}

ROWS_INLINE struct float_pair float_zero(void)
{
    return (struct float_pair){tile_zero_floats(), tile_zero_floats()};
}

ROWS_INLINE float float_total(struct float_pair sum)
{
    return tile_floats_sum(tile_add_floats(sum.low, sum.high));
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    struct float_pair sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = float_zero();
    for (size_t step = 0; step < slice->steps; step++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            rows_prefetch(weights[r] + step * STEP_BYTES, STEP_BYTES, slice->prefetch_bytes);
#pragma GCC unroll 4
        for (size_t column = 0; column < STEP_COLUMNS; column += FLOAT_COLUMNS) {
            struct float_pair activations = float_activations(slice->activations_f32 + step * STEP_COLUMNS + column);
#pragma GCC unroll 4
            for (int r = 0; r < count; r++) {
                tile_bytes w[FLOAT_REGISTERS];
                float_load(w, weights[r] + step * STEP_BYTES + column * FLOAT_BYTES);
                sum[r] = float_add(sum[r], w, activations);
            }
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out_f32[row[r]] = float_total(sum[r]);
}

ROWS_GEMV

#define FLOAT_ROWS_KERNEL                                                                                              \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,         \
        .float_sums = FLOAT_COLUMNS, .lossless = true, .gemv = gemv,                                                   \
    }

/* ---- its gamma: micro/frames/gamma.h, which the .c includes at its end ---- */

struct step_activations {
    float of[STEP_COLUMNS];
};

#define STEP_SUM          struct float_pair
#define STEP_ACTIVATIONS  struct step_activations
#define STEP_ROWS         ROWS
#define STEP_ACCUMULATORS ROWS_TOGETHER
#define step_zero         float_zero

#if STEP_BYTES == 128 && !defined __ARM_FEATURE_SVE
#define STEP_WEIGHTS(register_of) STEP_VECTORS(8, register_of, tile_bytes)
#else
#define STEP_WEIGHTS(register_of) STEP_VECTORS(4, register_of, tile_bytes)
#endif
#include "micro/frames/step.h"

#define STEP_FILL(number, type, name) weights.name = w[number];

enum { FLOAT_PARTS = STEP_COLUMNS / FLOAT_COLUMNS };

ROWS_INLINE struct step_weights step_load(const uint8_t *from)
{
    struct step_weights weights;
    tile_bytes w[FLOAT_PARTS * FLOAT_REGISTERS];
#pragma GCC unroll 4
    for (int i = 0; i < FLOAT_PARTS; i++)
        float_load(w + i * FLOAT_REGISTERS, from + i * FLOAT_COLUMNS * FLOAT_BYTES);
    STEP_WEIGHTS(STEP_FILL)
    return weights;
}

ROWS_INLINE struct float_pair step_add(struct float_pair sum, struct step_weights weights,
                                       const struct step_activations *activations)
{
    const tile_bytes w[] = {STEP_WEIGHTS(STEP_NAME)};
#pragma GCC unroll 4
    for (int i = 0; i < FLOAT_PARTS; i++)
        sum = float_add(sum, w + i * FLOAT_REGISTERS, float_activations(activations->of + i * FLOAT_COLUMNS));
    return sum;
}

ROWS_INLINE void step_finish(float *rows, struct float_pair sum)
{
    *rows = float_total(sum);
}

#endif
