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
 *   ROWS_INLINE void add_blocks(struct row_sums *sum, const uint8_t *weights, size_t blocks, const struct operand *a)
 *                                     1 to 4, a constant; or, with ADDS_ROWS defined, of several rows, weights[r] + at,
 *   ROWS_INLINE void add_rows(struct row_sums *sum, const uint8_t *const *weights, size_t at, size_t blocks, const struct operand *a, int count,
 *                             bool fetches, size_t prefetch)    which, if it fetches, fetches what lies so far ahead
 *   ROWS_INLINE __m512 row_lanes(struct row_sums sum)   lanes to be added
 *
 * The loops over rows are unrolled so that sums stay in registers: read from memory where they were just stored, they took 1.5 times as long.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCK_FOURS_AVX512_H
#define MICRO_FAMILIES_BLOCKS_BLOCK_FOURS_AVX512_H

#include <stdbool.h>

#include "micro/frames/rows.h"

#ifndef ADDS_ROWS
ROWS_INLINE void add_rows(struct row_sums *sum, const uint8_t *const *weights, size_t at, size_t blocks,
                          const struct operand *a, int count, bool fetches, size_t prefetch)
{
    const size_t ahead = rows_distance(at, prefetch);
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        if (fetches)
            rows_prefetch(weights[r], blocks * BLOCK_BYTES, ahead);
        add_blocks(&sum[r], rows_at(weights[r], at), blocks, a);
    }
}
#endif

/** Four blocks of each row, or the last 1 to 3. */
ROWS_INLINE void rows_blocks(const struct gemv_slice *slice, const uint8_t *const *weights, struct row_sums *sum,
                             int count, size_t group, size_t blocks)
{
    const struct operand *operand = slice->prepared;
    add_rows(sum, weights, group * BLOCKS * BLOCK_BYTES, blocks, &operand[group], count, true, slice->prefetch_bytes);
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, __m512 *lanes, int count)
{
    const size_t whole = slice->steps / BLOCKS;
    struct row_sums sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = (struct row_sums){0};
    for (size_t i = 0; i < whole; i++)
        rows_blocks(slice, weights, sum, count, i, BLOCKS);
    switch (slice->steps % BLOCKS) {
    case 1: rows_blocks(slice, weights, sum, count, whole, 1); break;
    case 2: rows_blocks(slice, weights, sum, count, whole, 2); break;
    case 3: rows_blocks(slice, weights, sum, count, whole, 3); break;
    default: break;
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        lanes[r] = row_lanes(sum[r]);
}

#include "micro/frames/rows_gemv_avx512.h"

static size_t prepared_bytes(size_t k)
{
    return (k / BLOCK_COLUMNS + BLOCKS - 1) / BLOCKS * sizeof(struct operand);
}

/* its gamma: micro/frames/gamma.h */
#define STEP_SUM          struct row_sums
#define STEP_ACTIVATIONS  struct operand
#define STEP_ROWS         1
#define STEP_COLUMNS      BLOCK_COLUMNS
#define STEP_BYTES        BLOCK_BYTES
#define STEPS_TOGETHER    BLOCKS
#define STEP_ACCUMULATORS ROWS_TOGETHER
#define STEP_OF_ROWS

ROWS_INLINE struct row_sums step_zero(void)
{
    return (struct row_sums){0};
}

ROWS_INLINE void step_add_rows(struct row_sums *sum, const uint8_t *const *weights, const struct operand *a, int count)
{
    add_rows(sum, weights, 0, BLOCKS, a, count, false, 0);
}

ROWS_INLINE void step_finish(float *rows, struct row_sums sum)
{
    rows[0] = _mm512_reduce_add_ps(row_lanes(sum));
}

#endif
