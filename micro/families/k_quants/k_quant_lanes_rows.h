/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of panels of sixteen rows, ROWS_TOGETHER of them side by side, LANES rows of a block after another. The including file defines
 *
 *   BLOCK_ACTIVATIONS    what a block of weights meets
 *   lanes_floats add_rows(sum, panel, first, ahead, distance, a)
 *                        LANES rows of a block, from row `first` of the panel on; `ahead`: they ask for what lies `distance` bytes ahead
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_LANES_ROWS_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_LANES_ROWS_H

#include "micro/frames/rows.h"

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *panel, int count)
{
    const BLOCK_ACTIVATIONS *a = slice->prepared;
    lanes_floats sum[ROWS_TOGETHER][BLOCK_ROWS / LANES];
#pragma GCC unroll 2
    for (int p = 0; p < count; p++) {
#pragma GCC unroll 2
        for (size_t i = 0; i < BLOCK_ROWS / LANES; i++)
            sum[p][i] = (lanes_floats){0};
    }
    for (size_t block = 0; block < slice->steps; block++) {
#pragma GCC unroll 2
        for (int p = 0; p < count; p++) {
#pragma GCC unroll 2
            for (size_t i = 0; i < BLOCK_ROWS / LANES; i++)
                sum[p][i] = add_rows(sum[p][i], weights[p] + block * BLOCK_BYTES, LANES * i, i == 0,
                                     slice->prefetch_bytes, &a[block]);
        }
    }
#pragma GCC unroll 2
    for (int p = 0; p < count; p++) {
#pragma GCC unroll 2
        for (size_t i = 0; i < BLOCK_ROWS / LANES; i++)
            lanes_store(slice->out_f32 + panel[p] * BLOCK_ROWS + LANES * i, sum[p][i]);
    }
}

ROWS_GEMV

/* its gamma, weights in L1: micro/frames/gamma.h */
struct lanes_sums {
    lanes_floats of[BLOCK_ROWS / LANES];
};

#define STEP_SUM          struct lanes_sums
#define STEP_ACTIVATIONS  BLOCK_ACTIVATIONS
#define STEP_ROWS         BLOCK_ROWS
#define STEP_COLUMNS      BLOCK_COLUMNS
#define STEP_BYTES        BLOCK_BYTES
#define STEP_ACCUMULATORS 1

ROWS_INLINE struct lanes_sums step_zero(void)
{
    struct lanes_sums sums;
#pragma GCC unroll 2
    for (size_t i = 0; i < BLOCK_ROWS / LANES; i++)
        sums.of[i] = (lanes_floats){0};
    return sums;
}

ROWS_INLINE struct lanes_sums add_block(struct lanes_sums sums, const uint8_t *weights, const BLOCK_ACTIVATIONS *a)
{
#pragma GCC unroll 2
    for (size_t i = 0; i < BLOCK_ROWS / LANES; i++)
        sums.of[i] = add_rows(sums.of[i], weights, LANES * i, false, 0, a);
    return sums;
}

ROWS_INLINE void step_finish(float *rows, struct lanes_sums sums)
{
#pragma GCC unroll 2
    for (size_t i = 0; i < BLOCK_ROWS / LANES; i++)
        lanes_store(rows + LANES * i, sums.of[i]);
}

#endif
