/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of panels of sixteen rows, ROWS_TOGETHER of them side by side, LANES rows of a block after another. The including file defines
 *
 *   BLOCK_ACTIVATIONS    what a block of weights meets
 *   lanes_floats add_rows(sum, panel, first, distance, a)
 *                        LANES rows of a block, from row `first` of the panel on; the first ones ask for what lies `distance` bytes ahead
 */
#ifndef MICRO_KERNELS_K_QUANT_LANES_ROWS_H
#define MICRO_KERNELS_K_QUANT_LANES_ROWS_H

#include "micro/kernels/rows.h"

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
                sum[p][i] =
                    add_rows(sum[p][i], weights[p] + block * BLOCK_BYTES, LANES * i, slice->prefetch_bytes, &a[block]);
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

#endif
