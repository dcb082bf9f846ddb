/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() and row() of a kernel whose panel is one row of blocks with scales of their own, times activations
 * quantized by blocks (q8.h). The including .c defines, before it,
 *
 *   BLOCK_COLUMNS, BLOCK_BYTES   of a block of weights: 32 or 256 columns
 *   BLOCK_ACTIVATIONS            struct q8_32 or q8_256, or a struct that begins with member q8 of that type
 *   BLOCKS_TOGETHER              blocks of a row before the next row's turn: about a cache line
 *   BLOCK_FLOATS                 registers of sums, if they are not those of blocks_avx2.h: "micro/families/blocks/blocks_avx512.h"
 *   BLOCK_ROWS                   of a panel; default 1
 *   BLOCK_STORE(out, panel, sum) what becomes of the sums of a panel, if it is not one row whose lanes are added
 *   BLOCK_LANES(sum)             in place of it, with sums of 512 bits: lanes of a row to be added: rows_gemv_avx512.h
 *   BLOCK_PREFETCH               in place of rows_prefetch
 *   ROW_BY_ROW                   1: one row after the other, nothing prefetched, as the format's authors do it
 *
 *   ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const BLOCK_ACTIVATIONS *activations)
 *
 * which reads BLOCK_BYTES of weights and no more. The pragmas keep the sums in registers, where -O2 would loop over
 * memory.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCK_ROWS_H
#define MICRO_FAMILIES_BLOCKS_BLOCK_ROWS_H

#if defined BLOCK_FLOATS
#include BLOCK_FLOATS
#elif defined __aarch64__
#include "micro/families/blocks/blocks_neon.h"
#else
#include "micro/families/blocks/blocks_avx2.h"
#endif

#ifndef BLOCK_ROWS
#define BLOCK_ROWS 1
#endif

#ifndef BLOCK_STORE
#define BLOCK_STORE(out, panel, sum) ((out)[panel] = block_lanes_sum(sum))
#endif

extern const struct format SELF_FORMAT;

#ifndef BLOCK_PREFETCH
#define BLOCK_PREFETCH rows_prefetch
#endif

#ifdef BLOCK_LANES
ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, __m512 *sum, int count)
#else
ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
#endif
{
    const BLOCK_ACTIVATIONS *activations = slice->prepared;
#ifndef BLOCK_LANES
    block_floats sum[ROWS_TOGETHER];
#endif
    size_t block = 0;
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = block_zero();
    for (; block + BLOCKS_TOGETHER <= slice->steps; block += BLOCKS_TOGETHER) {
        const size_t ahead = rows_distance(block * BLOCK_BYTES, slice->prefetch_bytes);
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            const uint8_t *w = rows_at(weights[r], block * BLOCK_BYTES);
            if (!ROW_BY_ROW)
                BLOCK_PREFETCH(weights[r], BLOCKS_TOGETHER * BLOCK_BYTES, ahead);
#pragma GCC unroll 4
            for (int i = 0; i < BLOCKS_TOGETHER; i++)
                sum[r] = add_block(sum[r], w + i * BLOCK_BYTES, &activations[block + (size_t)i]);
        }
    }
    if (block < slice->steps && !ROW_BY_ROW) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            BLOCK_PREFETCH(weights[r] + block * BLOCK_BYTES, (slice->steps - block) * BLOCK_BYTES,
                           slice->prefetch_bytes);
    }
    for (; block < slice->steps; block++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            sum[r] = add_block(sum[r], rows_at(weights[r], block * BLOCK_BYTES), &activations[block]);
    }
#ifdef BLOCK_LANES
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = BLOCK_LANES(sum[r]);
#else
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        BLOCK_STORE(slice->out_f32, row[r], sum[r]);
#endif
}

#if ROW_BY_ROW
static void gemv(const struct gemv_slice *slice)
{
    for (size_t row = 0; row < slice->panels; row++) {
        const uint8_t *weights = slice->weights + row * slice->panel_bytes;
        rows(slice, &weights, &row, 1);
    }
}
#elif defined BLOCK_LANES
#include "micro/frames/rows_gemv_avx512.h"
#else
ROWS_GEMV
#endif

/* its gamma: micro/frames/gamma.h */
#define STEP_SUM         block_floats
#define STEP_ACTIVATIONS BLOCK_ACTIVATIONS
#define STEP_ROWS        BLOCK_ROWS
#define STEP_COLUMNS     BLOCK_COLUMNS
#define STEP_BYTES       BLOCK_BYTES
#if ROW_BY_ROW
#define STEP_ACCUMULATORS 1
#else
#define STEP_ACCUMULATORS ROWS_TOGETHER
#endif
#define step_zero block_zero

ROWS_INLINE void step_finish(float *rows, block_floats sum)
{
#ifdef BLOCK_LANES
    sum = BLOCK_LANES(sum);
#endif
    BLOCK_STORE(rows, 0, sum);
}

KERNEL_ROW(block_row, BLOCK_VALUE((const void *)&((const BLOCK_ACTIVATIONS *)prepared)[column / BLOCK_COLUMNS],
                                  column % BLOCK_COLUMNS))

#endif
