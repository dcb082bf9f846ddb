/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The step of block32_chunks.h in registers of 256 bits, each with chunks of four rows.
 */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_CHUNKS_256_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_CHUNKS_256_H

#include <immintrin.h>

#define CHUNKS_STARTS 2
enum { FOURS = BLOCK_ROWS / 4, LINES = BLOCK_ROWS / 2 };
#include "micro/families/block32/block32_chunks.h"

/** Of eight rows both lanes of each are joined in each block already. */
ROWS_INLINE void chunks_store(float *out, __m256 sum)
{
#if BLOCK_ROWS == 8
    __m256d rows = _mm256_castps_pd(sum); /* 0 1 4 5 | 2 3 6 7 */
    _mm256_storeu_ps(out, _mm256_castpd_ps(_mm256_permute4x64_pd(rows, _MM_SHUFFLE(3, 1, 2, 0))));
#else
    __m128 first = _mm256_castps256_ps128(sum), second = _mm256_extractf128_ps(sum, 1);
    _mm_storeu_ps(out, BLOCK_CHUNK == 8 ? _mm_hadd_ps(first, second) : _mm_add_ps(first, second));
#endif
}

/** Eight bytes for all rows; of chunks of four bytes four for each half. */
ROWS_INLINE __m256i chunks_spread(const void *eight)
{
#if BLOCK_CHUNK == 8
    return _mm256_set1_epi64x(chunks_eight(eight));
#else
    const __m256i lanes = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    return _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(_mm_loadl_epi64(eight)), lanes);
#endif
}

/** What meets low nibbles of register `line`, or high ones. */
ROWS_INLINE __m256i chunks_activations(const struct chunks_operand *a, int line, int high)
{
    return chunks_spread(a->q + 16 * high + 8 * (line / FOURS));
}

/** Sums of a block as rows' lanes lie. */
ROWS_INLINE __m256i chunks_whole(const __m256i *sums)
{
#if BLOCK_ROWS == 8
    __m256 first = _mm256_castsi256_ps(sums[0]), second = _mm256_castsi256_ps(sums[1]);
    __m256i even = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88));
    return _mm256_add_epi32(even, _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xdd)));
#else
    return sums[0];
#endif
}

ROWS_INLINE __m256 chunks_scales(const uint8_t *weights)
{
#if BLOCK_ROWS == 8
    __m128i halves = _mm_loadu_si128((const __m128i *)(const void *)weights);
    return _mm256_cvtph_ps(_mm_shuffle_epi32(halves, _MM_SHUFFLE(3, 1, 2, 0)));
#else
    __m128i halves = _mm_loadl_epi64((const __m128i *)(const void *)weights);
    return _mm256_cvtph_ps(BLOCK_CHUNK == 8 ? _mm_unpacklo_epi16(halves, halves) : _mm_unpacklo_epi64(halves, halves));
#endif
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct chunks_operand *a)
{
    const __m256i start = chunks_spread(a->start);
    __m256i sums[FOURS];
#pragma GCC unroll 2
    for (int four = 0; four < FOURS; four++)
        sums[four] = products_begin(start);
#pragma GCC unroll 4
    for (int line = 0; line < LINES; line++) {
        __m256i codes = _mm256_loadu_si256((const __m256i *)(const void *)(weights + BLOCK_CODES + 32 * line));
        codes = _mm256_xor_si256(codes, _mm256_set1_epi8((char)BLOCK_TURNED));
        ROWS_IN_REGISTER(codes);
        __m256i *of = &sums[line % FOURS];
        *of = products_add(*of, nibble_codes(codes), chunks_activations(a, line, 0));
        *of = products_add(*of, nibble_codes(_mm256_srli_epi16(codes, 4)), chunks_activations(a, line, 1));
    }
#pragma GCC unroll 2
    for (int four = 0; four < FOURS; four++)
        sums[four] = products_end(sums[four], start);
    __m256 scale = _mm256_mul_ps(chunks_scales(weights), _mm256_set1_ps(a->scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(chunks_whole(sums)), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

#endif
