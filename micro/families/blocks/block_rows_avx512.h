/* SPDX-License-Identifier: BSD-3-Clause
 *
 * block_rows.h with 512-bit registers, for blocks of 256 columns whose last two bytes are their scale. A block is then
 * so short that making 16 floats of its scale would cost a quarter of the ports: the scales of four blocks of four rows
 * are put next to each other by plain moves, so that one conversion serves sixteen blocks and the multiply-adds take
 * them from memory. The including .c defines, before it,
 *
 *   BLOCK_COLUMNS, BLOCK_BYTES   of a block of weights: the kernels.def of the format
 *   BLOCK_ACTIVATIONS   struct that has `float scales[BLOCKS_A_GROUP]`: of this block and the next ones of the row, 0 after its end; times what
 *                       block_whole() gives too little. And no more than is read: what lies between is fetched, too, and at 11008 columns
 *                       four rows and their activations no longer stay in the first-level cache (0.87 of a plain read, 0.93 without)
 *   BLOCK_VALUE(activations, column)   what a column of the block was quantized to, in double
 *
 * and after it block_whole(): the whole numbers of a block, to be scaled. It reads no byte after the block, and none
 * before the first of a row.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCK_ROWS_AVX512_H
#define MICRO_FAMILIES_BLOCKS_BLOCK_ROWS_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

extern const struct format SELF_FORMAT;

enum { BLOCKS_A_GROUP = 4 };

ROWS_INLINE __m512i block_whole(const uint8_t *weights, bool is_first, const BLOCK_ACTIVATIONS *activations);

/** The scales of 1 to 4 blocks from `weights` on, a word each, 0 of those that are not. */
ROWS_INLINE uint64_t four_halves(const uint8_t *weights, size_t blocks)
{
    uint64_t four = 0;
#pragma GCC unroll 4
    for (size_t b = BLOCKS_A_GROUP; b-- > 0;) {
        uint16_t half = 0;
        if (b < blocks)
            memcpy(&half, weights + (b + 1) * BLOCK_BYTES - sizeof half, sizeof half);
        uint64_t wide = half;
        __asm__("" : "+r"(wide)); /* or the compiler makes shuffles of it, on the port that is short */
        four = four << 16 | wide;
    }
    return four;
}

/** Of each row, times those of the activations. In registers: words that are stored one by one and read together wait until all before is over. */
ROWS_INLINE __m512 group_scales(const uint8_t *const *weights, size_t blocks, const BLOCK_ACTIVATIONS *activations,
                                int count)
{
    uint64_t half[ROWS_TOGETHER] = {0};
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        half[r] = four_halves(weights[r], blocks);
    __m256i halves = _mm256_setr_epi64x((long long)half[0], (long long)half[1], (long long)half[2], (long long)half[3]);
    return _mm512_mul_ps(_mm512_cvtph_ps(halves), _mm512_broadcast_f32x4(_mm_loadu_ps(activations->scales)));
}

/** 1 to 4 blocks of each row, a constant. Fetched ahead block by block: a group's lines of four rows at once read a tenth less. */
ROWS_INLINE void add_group(__m512 *sum, const uint8_t *const *weights, size_t at, size_t blocks,
                           const BLOCK_ACTIVATIONS *activations, int count, bool fetches, size_t prefetch)
{
    _Alignas(64) float scale[ROWS_TOGETHER][BLOCKS_A_GROUP];
    const uint8_t *from[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        from[r] = rows_at(weights[r], at);
    _mm512_store_ps(scale[0], group_scales(from, blocks, activations, count));
    for (size_t b = 0; b < blocks; b++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            const uint8_t *w = from[r] + b * BLOCK_BYTES;
            if (fetches)
                rows_prefetch(w, BLOCK_BYTES, prefetch);
            __m512 whole = _mm512_cvtepi32_ps(block_whole(w, at + b == 0, &activations[b]));
            sum[r] = _mm512_fmadd_ps(whole, _mm512_set1_ps(scale[r][b]), sum[r]);
        }
    }
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, __m512 *sum, int count)
{
    const BLOCK_ACTIVATIONS *activations = slice->prepared;
    const size_t whole = slice->steps / BLOCKS_A_GROUP, prefetch = slice->prefetch_bytes;
    size_t at = 0;
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = _mm512_setzero_ps();
    for (size_t i = 0; i < whole; i++) {
        add_group(sum, weights, at, BLOCKS_A_GROUP, activations, count, true, prefetch);
        at += BLOCKS_A_GROUP * BLOCK_BYTES;
        activations += BLOCKS_A_GROUP;
    }
    switch (slice->steps % BLOCKS_A_GROUP) {
    case 1: add_group(sum, weights, at, 1, activations, count, true, prefetch); break;
    case 2: add_group(sum, weights, at, 2, activations, count, true, prefetch); break;
    case 3: add_group(sum, weights, at, 3, activations, count, true, prefetch); break;
    default: break;
    }
}

#include "micro/frames/rows_gemv_avx512.h"

/** For prepare(): what makes codes weights, -1 for each, in the lanes of `registers` registers of activations. */
static inline void block_offsets(const int8_t (*met)[64], int registers, int32_t *offset)
{
    for (int lane = 0; lane < 16; lane++) {
        offset[lane] = 0;
        for (int i = 0; i < registers; i++) {
            for (int byte = 4 * lane; byte < 4 * lane + 4; byte++)
                offset[lane] -= met[i][byte];
        }
    }
}

/** For prepare(): the scales of `blocks` blocks, each the first of its own, where rows() reads them. */
static inline void block_scales(BLOCK_ACTIVATIONS *activations, size_t blocks)
{
    for (size_t i = 0; i < blocks; i++) {
        for (size_t next = 1; next < BLOCKS_A_GROUP; next++)
            activations[i].scales[next] = i + next < blocks ? activations[i + next].scales[0] : 0;
    }
}

/* its gamma: micro/frames/gamma.h */
struct group_activations {
    BLOCK_ACTIVATIONS block[BLOCKS_A_GROUP];
};

#define STEP_SUM          __m512
#define STEP_ACTIVATIONS  struct group_activations
#define STEP_ROWS         1
#define STEP_COLUMNS      BLOCK_COLUMNS
#define STEP_BYTES        BLOCK_BYTES
#define STEPS_TOGETHER    BLOCKS_A_GROUP
#define STEP_ACCUMULATORS ROWS_TOGETHER
#define STEP_OF_ROWS
#define step_zero _mm512_setzero_ps

ROWS_INLINE void step_add_rows(__m512 *sum, const uint8_t *const *weights, const struct group_activations *activations,
                               int count)
{
    add_group(sum, weights, 0, BLOCKS_A_GROUP, activations->block, count, false, 0);
}

ROWS_INLINE void step_finish(float *rows, __m512 sum)
{
    rows[0] = _mm512_reduce_add_ps(sum);
}

KERNEL_ROW(block_row,
           BLOCK_VALUE(&((const BLOCK_ACTIVATIONS *)prepared)[column / BLOCK_COLUMNS], column % BLOCK_COLUMNS))

#endif
