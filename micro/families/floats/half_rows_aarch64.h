/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() on aarch64 of rows of 16-bit floats times activations that are rounded to the same type, for instructions that multiply two such and add
 * floats: nothing is widened. One text for Neon and for 256-bit SVE. The including .c defines, before it,
 *
 *   STEP_COLUMNS, STEP_BYTES   by the format's kernels.def
 *   half_sums                  type of a row's sums, with half_zero(), half_add(sum, weights, activations, number) of a register of each, by its
 *                              number in a step, and half_total(sum)
 *   half_factor(most) and so on, by half_operand_aarch64.h
 *   HALF_SUMS, HALF_ERROR      float_sums and error_bound
 */
#ifndef MICRO_FAMILIES_FLOATS_HALF_ROWS_AARCH64_H
#define MICRO_FAMILIES_FLOATS_HALF_ROWS_AARCH64_H

#include "micro/families/floats/half_operand_aarch64.h"
#include "micro/frames/rows.h"
#include "micro/isa/registers_aarch64.h"

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    const uint8_t *operand = slice->prepared;
    half_sums sum[ROWS_TOGETHER];
    float inverse;
    memcpy(&inverse, operand, sizeof inverse);
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = half_zero();
    for (size_t step = 0; step < slice->steps; step++) {
        const uint8_t *activations = operand + HALF_HEADER + step * STEP_BYTES;
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            rows_prefetch(weights[r] + step * STEP_BYTES, STEP_BYTES, slice->prefetch_bytes);
#pragma GCC unroll 4
        for (size_t at = 0; at < STEP_BYTES; at += TILE_BYTES) {
            tile_bytes a = tile_load(activations + at);
#pragma GCC unroll 4
            for (int r = 0; r < count; r++)
                sum[r] = half_add(sum[r], tile_load(weights[r] + step * STEP_BYTES + at), a, (int)(at / TILE_BYTES));
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out_f32[row[r]] = half_total(sum[r]) * inverse;
}

ROWS_GEMV

#define HALF_ROWS_KERNEL                                                                                               \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .prefetch_bytes = 1024 /* predicted: no core of aarch64 has been timed */,            \
        .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = HALF_SUMS, .error_bound = HALF_ERROR,      \
        .lossless = true, .gemv = gemv, .prepared_bytes = prepared_bytes, .prepare = prepare, .row = row_of,           \
    }

/* ---- its gamma: micro/frames/gamma.h, which the .c includes at its end ---- */

struct step_activations {
    _Alignas(64) uint8_t operand[HALF_HEADER + STEP_BYTES];
};

struct step_sum {
    half_sums sums;
    const struct step_activations *activations; /* by whose factor they are too large */
};

#define STEP_SUM          struct step_sum
#define STEP_ACTIVATIONS  struct step_activations
#define STEP_ROWS         ROWS
#define STEP_ACCUMULATORS ROWS_TOGETHER

#if defined __ARM_FEATURE_SVE
#define STEP_WEIGHTS(register_of) STEP_VECTORS(2, register_of, tile_bytes)
#else
#define STEP_WEIGHTS(register_of) STEP_VECTORS(4, register_of, tile_bytes)
#endif
#include "micro/frames/step.h"

#define STEP_LOAD(number, type, name) tile_load(from + number * TILE_BYTES),

ROWS_INLINE struct step_sum step_zero(void)
{
    return (struct step_sum){half_zero(), NULL};
}

ROWS_INLINE struct step_weights step_load(const uint8_t *from)
{
    return (struct step_weights){STEP_WEIGHTS(STEP_LOAD)};
}

ROWS_INLINE struct step_sum step_add(struct step_sum sum, struct step_weights weights,
                                     const struct step_activations *activations)
{
    const tile_bytes w[] = {STEP_WEIGHTS(STEP_NAME)};
#pragma GCC unroll 4
    for (int i = 0; i < STEP_BYTES / TILE_BYTES; i++)
        sum.sums = half_add(sum.sums, w[i], tile_load(activations->operand + HALF_HEADER + i * TILE_BYTES), i);
    sum.activations = activations;
    return sum;
}

ROWS_INLINE void step_finish(float *rows, struct step_sum sum)
{
    float inverse;
    memcpy(&inverse, sum.activations->operand, sizeof inverse);
    *rows = half_total(sum.sums) * inverse;
}

#endif
