/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The step of block32_chunks.h in registers of 512 bits: a register is the codes of a block of four rows, or half of those of eight.
 */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_CHUNKS_512_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_CHUNKS_512_H

#include <immintrin.h>

#define CHUNKS_STARTS (BLOCK_ROWS == 4 ? 4 : 2)
#include "micro/families/block32/block32_chunks.h"

#define BLOCK_FLOATS "micro/families/blocks/blocks_avx512.h"

ROWS_INLINE void chunks_store(float *out, __m512 sum)
{
    __m256 low = _mm512_castps512_ps256(sum), high = _mm512_extractf32x8_ps(sum, 1);
#if BLOCK_ROWS == 8                                             /* two lanes of each */
    __m256d rows = _mm256_castps_pd(_mm256_hadd_ps(low, high)); /* 0 1 4 5 | 2 3 6 7 */
    _mm256_storeu_ps(out, _mm256_castpd_ps(_mm256_permute4x64_pd(rows, _MM_SHUFFLE(3, 1, 2, 0))));
#else
    __m256 rows = _mm256_add_ps(low, high);
    __m128 first = _mm256_castps256_ps128(rows), second = _mm256_extractf128_ps(rows, 1);
    _mm_storeu_ps(out, BLOCK_CHUNK == 8 ? _mm_hadd_ps(first, second) : _mm_add_ps(first, second));
#endif
}

/** Codes as they are multiplied, of bits that are stored turned over: one vpternlogd where there is nothing to look up. */
ROWS_INLINE __m512i chunks_codes(__m512i bytes)
{
#if BLOCK_TURNED
    const __m512i turned = _mm512_set1_epi8((char)(BLOCK_TURNED & 15)), nibble = _mm512_set1_epi8(15);
    return _mm512_ternarylogic_epi32(bytes, turned, nibble, 0x28); /* (bytes ^ turned) & nibble */
#else
    return nibble_codes(bytes);
#endif
}

/** Dwords first … of the operand, as chunks of four rows lie: first 0 for what meets low nibbles, 4 for high ones, 8 for the start. */
ROWS_INLINE __m512i chunks_spread(const struct chunks_operand *a, int first)
{
    const __m512i lanes = BLOCK_CHUNK == 8 ? _mm512_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3)
                                           : _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    return _mm512_permutexvar_epi32(_mm512_add_epi32(lanes, _mm512_set1_epi32(first)), _mm512_load_si512(a));
}

/** What meets low nibbles of register `line`, or high ones. */
ROWS_INLINE __m512i chunks_activations(const struct chunks_operand *a, int line, int high)
{
    return BLOCK_ROWS == 8 ? _mm512_set1_epi64(chunks_eight(a->q + 16 * high + 8 * line)) : chunks_spread(a, 4 * high);
}

ROWS_INLINE __m512i chunks_start(const struct chunks_operand *a)
{
    return BLOCK_ROWS == 8 ? _mm512_set1_epi64(chunks_eight(a->start)) : chunks_spread(a, 8);
}

/** Scales of rows in the lanes that hold their sums. */
ROWS_INLINE __m512 chunks_scales(const uint8_t *weights)
{
#if BLOCK_ROWS == 8
    const __m256i rows = _mm256_setr_epi16(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    __m128i halves = _mm_loadu_si128((const __m128i *)(const void *)weights);
#else
    const __m256i rows = BLOCK_CHUNK == 8 ? _mm256_setr_epi16(0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3)
                                          : _mm256_setr_epi16(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
    __m128i halves = _mm_loadl_epi64((const __m128i *)(const void *)weights);
#endif
    return _mm512_cvtph_ps(_mm256_permutexvar_epi16(rows, _mm256_castsi128_si256(halves)));
}

ROWS_INLINE __m512 add_block(__m512 sum, const uint8_t *weights, const struct chunks_operand *a)
{
    __m512i whole = chunks_start(a);
#pragma GCC unroll 2
    for (int line = 0; line < BLOCK_ROWS / 4; line++) {
        __m512i codes = _mm512_loadu_si512(weights + BLOCK_CODES + 64 * line);
        ROWS_IN_REGISTER(codes);
        whole = _mm512_dpbusd_epi32(whole, chunks_codes(codes), chunks_activations(a, line, 0));
        whole = _mm512_dpbusd_epi32(whole, chunks_codes(_mm512_srli_epi16(codes, 4)), chunks_activations(a, line, 1));
    }
    __m512 scale = _mm512_mul_ps(chunks_scales(weights), _mm512_set1_ps(a->scale));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

#endif
