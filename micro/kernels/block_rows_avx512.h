/* SPDX-License-Identifier: BSD-3-Clause
 *
 * block_rows.h with 512-bit registers, for blocks of 256 columns whose last two bytes are their scale. A block is then
 * so short that making 16 floats of its scale would cost a quarter of the ports: the scales of four blocks of four rows
 * are copied next to each other by plain moves, one group ahead, so that one conversion serves sixteen blocks and the
 * multiply-adds take them from memory. The including .c defines, before it,
 *
 *   BLOCK_COLUMNS, BLOCK_BYTES   of a block of weights: the layout.h of the format
 *   BLOCK_ACTIVATIONS   struct that begins with `struct q8_256 q8` and has `float scales[BLOCKS_A_GROUP]`: of this
 * block and the next ones of the row, 0 behind its end; times what block_whole() gives too little
 *
 * and behind it block_whole(): the whole numbers of a block, to be scaled. It reads no byte behind the block, and none
 * before the first of a row.
 */
#ifndef MICRO_KERNELS_BLOCK_ROWS_AVX512_H
#define MICRO_KERNELS_BLOCK_ROWS_AVX512_H

#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "micro/kernels/q8_avx2.h"
#include "micro/kernels/store_rows_avx512.h"

extern const struct format SELF_FORMAT;

enum { BLOCKS_A_GROUP = 4 };

ROWS_INLINE __m512i block_whole(const uint8_t *weights, bool is_first, const BLOCK_ACTIVATIONS *activations);

struct group_scales {
    _Alignas(64) uint16_t half[ROWS_TOGETHER][BLOCKS_A_GROUP];
    _Alignas(64) float scale[ROWS_TOGETHER][BLOCKS_A_GROUP];
};

ROWS_INLINE size_t blocks_of_group(const struct gemv_slice *slice, size_t block)
{
    return slice->steps - block < BLOCKS_A_GROUP ? slice->steps - block : BLOCKS_A_GROUP;
}

ROWS_INLINE void copy_scales(struct group_scales *scales, const struct gemv_slice *slice, const uint8_t *const *weights,
                             size_t block, int count)
{
    for (size_t b = 0; b < blocks_of_group(slice, block); b++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            uint16_t half;
            memcpy(&half, weights[r] + (block + b + 1) * BLOCK_BYTES - sizeof half, sizeof half);
            __asm__("" : "+r"(half)); /* or the compiler makes shuffles of it, on the port that is short */
            scales->half[r][b] = half;
        }
    }
}

ROWS_INLINE void convert_scales(struct group_scales *scales, const BLOCK_ACTIVATIONS *activations)
{
    __m512 of_weights = _mm512_cvtph_ps(_mm256_load_si256((const __m256i *)(const void *)scales->half));
    __m512 of_activations = _mm512_broadcast_f32x4(_mm_loadu_ps(activations->scales));
    _mm512_store_ps(scales->scale, _mm512_mul_ps(of_weights, of_activations));
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    const BLOCK_ACTIVATIONS *activations = slice->prepared;
    struct group_scales scales[2];
    __m512 sum[ROWS_TOGETHER];
    memset(scales, 0, sizeof scales);
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = _mm512_setzero_ps();
    copy_scales(&scales[0], slice, weights, 0, count);
    for (size_t group = 0; group < slice->steps; group += BLOCKS_A_GROUP) {
        struct group_scales *own = &scales[group / BLOCKS_A_GROUP % 2], *next = &scales[group / BLOCKS_A_GROUP % 2 ^ 1];
        convert_scales(own, &activations[group]);
        if (group + BLOCKS_A_GROUP < slice->steps)
            copy_scales(next, slice, weights, group + BLOCKS_A_GROUP, count);
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            rows_prefetch(weights[r] + group * BLOCK_BYTES, BLOCKS_A_GROUP * BLOCK_BYTES, slice->prefetch_bytes);
        for (size_t b = 0; b < blocks_of_group(slice, group); b++) {
#pragma GCC unroll 4
            for (int r = 0; r < count; r++) {
                const uint8_t *w = weights[r] + (group + b) * BLOCK_BYTES;
                __m512 whole = _mm512_cvtepi32_ps(block_whole(w, group + b == 0, &activations[group + b]));
                sum[r] = _mm512_fmadd_ps(whole, _mm512_set1_ps(own->scale[r][b]), sum[r]);
            }
        }
    }
    store_rows(slice->out_f32, row, sum, count);
}

ROWS_GEMV

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

/** For prepare(): the scales of `blocks` blocks, times factor, where rows() reads them. */
static inline void block_scales(BLOCK_ACTIVATIONS *activations, size_t blocks, float factor)
{
    for (size_t i = 0; i < blocks; i++) {
        for (size_t next = 0; next < BLOCKS_A_GROUP; next++)
            activations[i].scales[next] = i + next < blocks ? activations[i + next].q8.scale * factor : 0;
    }
}

static struct kernel_row block_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const BLOCK_ACTIVATIONS *blocks = prepared;
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column++) {
        double term = format_weight(&SELF_FORMAT, panel, k, row, column) *
                      q8_256_value(&blocks[column / BLOCK_COLUMNS].q8, column % BLOCK_COLUMNS);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

#endif
