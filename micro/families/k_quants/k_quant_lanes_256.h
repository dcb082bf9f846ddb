/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What k_quant_lanes_vectors.h says of 256-bit registers. AVX-VNNI: with vpdpbusd. AVX2: products are added up in words (2 * 15 * 127 * 8 lines, or
 * 2 * 31 * 127 * 4), and vpmaddwd adds both of a lane as it scales them.
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_LANES_256_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_LANES_256_H

#include <immintrin.h>
#include <string.h>

#include "micro/frames/rows.h"

#define LANES 8

typedef __m256i lanes_ints;
typedef __m256i lanes_group;
typedef __m256 lanes_floats;

ROWS_INLINE lanes_ints lanes_zero(void)
{
    return _mm256_setzero_si256();
}

ROWS_INLINE lanes_group lanes_group_zero(void)
{
    return _mm256_setzero_si256();
}

ROWS_INLINE lanes_ints lanes_load(const uint8_t *at)
{
    return _mm256_loadu_si256((const void *)at);
}

ROWS_INLINE lanes_ints lanes_bytes(int byte)
{
    return _mm256_set1_epi8((char)byte);
}

ROWS_INLINE lanes_ints lanes_and(lanes_ints a, lanes_ints b)
{
    return _mm256_and_si256(a, b);
}

/** a | (b & mask) */
ROWS_INLINE lanes_ints lanes_or_and(lanes_ints a, lanes_ints b, lanes_ints mask)
{
    return _mm256_or_si256(a, _mm256_and_si256(b, mask));
}

ROWS_INLINE lanes_ints lanes_down(lanes_ints a, int bits)
{
    return _mm256_srli_epi32(a, bits);
}

ROWS_INLINE lanes_ints lanes_up(lanes_ints a, int bits)
{
    return _mm256_slli_epi32(a, bits);
}

ROWS_INLINE lanes_ints lanes_add(lanes_ints a, lanes_ints b)
{
    return _mm256_add_epi32(a, b);
}

ROWS_INLINE lanes_ints lanes_subtract(lanes_ints a, lanes_ints b)
{
    return _mm256_sub_epi32(a, b);
}

ROWS_INLINE lanes_ints lanes_or(lanes_ints a, lanes_ints b)
{
    return _mm256_or_si256(a, b);
}

ROWS_INLINE lanes_ints lanes_add_bytes(lanes_ints a, lanes_ints b)
{
    return _mm256_add_epi8(a, b);
}

/** A word for each lane. */
ROWS_INLINE lanes_ints lanes_load_words(const uint8_t *at)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)at));
}

/** Of bytes. */
ROWS_INLINE lanes_ints lanes_less(lanes_ints a, lanes_ints b)
{
    return _mm256_sub_epi8(a, b);
}

ROWS_INLINE lanes_ints lanes_divide16(lanes_ints a)
{
    return _mm256_srai_epi32(a, 4);
}

ROWS_INLINE __m256i lanes_broadcast(const void *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm256_set1_epi32(bits);
}

/** Bytes first and second of each lane as words; 0x80: none. */
ROWS_INLINE __m256i lanes_spread(lanes_ints bytes, int first, int second)
{
    const __m256i lane = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 0x00040004, 0x00080008, 0x000c000c));
    const __m256i dword = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 4, 8, 12));
    __m256i at = _mm256_set1_epi32((int32_t)(0x80008000u | (uint32_t)second << 16 | (uint32_t)first));
    return _mm256_shuffle_epi8(bytes, _mm256_add_epi8(at, second == 0x80 ? dword : lane));
}

#ifdef __AVXVNNI__
#define LANES_LINES        8
#define LANES_HIGH_APART   (K_QUANT_BITS == 4)
#define LANES_SUM_IN_WORDS 0

/** Four columns. */
ROWS_INLINE lanes_group lanes_products(lanes_group sums, lanes_ints codes, const int8_t *a)
{
    return _mm256_dpbusd_avx_epi32(sums, codes, lanes_broadcast(a));
}

/** A group's sum times the byte of it. */
ROWS_INLINE lanes_ints lanes_scaled(lanes_ints total, lanes_group sums, lanes_ints scales, int byte)
{
    return _mm256_add_epi32(total, _mm256_mullo_epi32(sums, lanes_spread(scales, byte, 0x80)));
}

/** A byte of each lane as the upper one of the words that its sum meets: 256 times itself. */
ROWS_INLINE lanes_ints lanes_upper(lanes_ints bytes, int byte)
{
    const __m256i lane = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 0x0400, 0x0800, 0x0c00));
    __m256i at = _mm256_set1_epi32((int32_t)(0x80800080u | (uint32_t)byte << 8));
    return _mm256_shuffle_epi8(bytes, _mm256_add_epi8(lane, at));
}

ROWS_INLINE lanes_ints lanes_times_words(lanes_ints total, lanes_group sums, lanes_ints words)
{
    return _mm256_dpwssd_avx_epi32(total, sums, words);
}

/** Two bytes of each lane times two words. */
ROWS_INLINE lanes_ints lanes_words(lanes_ints total, lanes_ints bytes, int byte, const int16_t *words)
{
    return _mm256_dpwssd_avx_epi32(total, lanes_spread(bytes, byte, byte + 1), lanes_broadcast(words));
}
#else
#define LANES_LINES        (K_QUANT_BITS == 4 ? 8 : 4)
#define LANES_HIGH_APART   0
#define LANES_SUM_IN_WORDS 1

ROWS_INLINE lanes_group lanes_products(lanes_group sums, lanes_ints codes, const int8_t *a)
{
    return _mm256_add_epi16(sums, _mm256_maddubs_epi16(codes, lanes_broadcast(a)));
}

ROWS_INLINE lanes_ints lanes_scaled(lanes_ints total, lanes_group sums, lanes_ints scales, int byte)
{
    return _mm256_add_epi32(total, _mm256_madd_epi16(sums, lanes_spread(scales, byte, byte)));
}

ROWS_INLINE lanes_ints lanes_upper(lanes_ints bytes, int byte)
{
    const __m256i lane = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 0x04000400, 0x08000800, 0x0c000c00));
    __m256i at = _mm256_set1_epi32((int32_t)(0x00800080u | (uint32_t)byte << 8 | (uint32_t)byte << 24));
    return _mm256_shuffle_epi8(bytes, _mm256_add_epi8(lane, at));
}

ROWS_INLINE lanes_ints lanes_times_words(lanes_ints total, lanes_group sums, lanes_ints words)
{
    return _mm256_add_epi32(total, _mm256_madd_epi16(sums, words));
}

ROWS_INLINE lanes_ints lanes_words(lanes_ints total, lanes_ints bytes, int byte, const int16_t *words)
{
    __m256i both = _mm256_madd_epi16(lanes_spread(bytes, byte, byte + 1), lanes_broadcast(words));
    return _mm256_add_epi32(total, both);
}
#endif

/** Words over 256. */
ROWS_INLINE lanes_ints lanes_from_upper(lanes_ints words)
{
    return _mm256_srai_epi16(words, 8);
}

ROWS_INLINE void lanes_store(float *out, lanes_floats sum)
{
    _mm256_storeu_ps(out, sum);
}

ROWS_INLINE lanes_floats lanes_add_scaled(lanes_floats sum, lanes_ints whole, const uint8_t *halves, float scale)
{
    __m256 both = _mm256_mul_ps(_mm256_cvtph_ps(_mm_loadu_si128((const void *)halves)), _mm256_set1_ps(scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), both, sum);
}

/** The same of times * whole[0] + whole[1], which 32 bits do not hold. */
ROWS_INLINE lanes_floats lanes_add_scaled_both(lanes_floats sum, const lanes_ints *whole, float times,
                                               const uint8_t *halves, float scale)
{
    __m256 both = _mm256_mul_ps(_mm256_cvtph_ps(_mm_loadu_si128((const void *)halves)), _mm256_set1_ps(scale));
    __m256 first = _mm256_cvtepi32_ps(whole[0]), second = _mm256_cvtepi32_ps(whole[1]);
    return _mm256_fmadd_ps(_mm256_fmadd_ps(first, _mm256_set1_ps(times), second), both, sum);
}

#endif
