/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() of kernels that take four blocks of a row at a time, four rows side by side, so that what is a few bytes a block is made
 * ready for four blocks at once. The including .c defines, before it,
 *
 *   BLOCK_COLUMNS, BLOCK_BYTES        of a block of a row
 *   enum { BLOCKS = 4 }
 *   struct operand                    the activations of four blocks
 *   struct row_sums                   of a row, all zeros at first
 *
 *   ROWS_INLINE void add_blocks(struct row_sums *sum, const uint8_t *weights, size_t blocks, const struct operand *a)   1 to 4
 *   ROWS_INLINE float row_total(struct row_sums sum)
 *
 * and may define BLOCK_PREFETCH: rows_prefetch_once, where that is enough; default rows_prefetch.
 *
 * The loops over rows are unrolled so that sums stay in registers: read from memory where they were just stored, they took 1.5 times as long.
 */
#ifndef MICRO_KERNELS_BLOCK_FOURS_AVX512_H
#define MICRO_KERNELS_BLOCK_FOURS_AVX512_H

#include "micro/kernels/rows.h"

#ifndef BLOCK_PREFETCH
#define BLOCK_PREFETCH rows_prefetch
#endif

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    const struct operand *operand = slice->prepared;
    const size_t whole = slice->steps / BLOCKS, rest = slice->steps % BLOCKS;
    struct row_sums sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = (struct row_sums){0};
    for (size_t i = 0; i < whole; i++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            const uint8_t *w = weights[r] + i * BLOCKS * BLOCK_BYTES;
            BLOCK_PREFETCH(w, BLOCKS * BLOCK_BYTES, slice->prefetch_bytes);
            add_blocks(&sum[r], w, BLOCKS, &operand[i]);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        if (rest) {
            const uint8_t *w = weights[r] + whole * BLOCKS * BLOCK_BYTES;
            BLOCK_PREFETCH(w, rest * BLOCK_BYTES, slice->prefetch_bytes);
            add_blocks(&sum[r], w, rest, &operand[whole]);
        }
        slice->out_f32[row[r]] = row_total(sum[r]);
    }
}

ROWS_GEMV

static size_t prepared_bytes(size_t k)
{
    return (k / BLOCK_COLUMNS + BLOCKS - 1) / BLOCKS * sizeof(struct operand);
}

#endif
