/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What k_quant_lanes_vectors.h says of 512-bit registers, with vpdpbusd.
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_LANES_512_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_LANES_512_H

#include <immintrin.h>
#include <string.h>

#include "micro/frames/rows.h"

#define LANES              16
#define LANES_LINES        8
#define LANES_HIGH_APART   (K_QUANT_BITS == 4)
#define LANES_SUM_IN_WORDS 0

typedef __m512i lanes_ints;
typedef __m512i lanes_group;
typedef __m512 lanes_floats;

ROWS_INLINE lanes_ints lanes_zero(void)
{
    return _mm512_setzero_si512();
}

ROWS_INLINE lanes_group lanes_group_zero(void)
{
    return _mm512_setzero_si512();
}

ROWS_INLINE lanes_ints lanes_load(const uint8_t *at)
{
    return _mm512_loadu_si512(at);
}

ROWS_INLINE lanes_ints lanes_bytes(int byte)
{
    return _mm512_set1_epi8((char)byte);
}

ROWS_INLINE lanes_ints lanes_and(lanes_ints a, lanes_ints b)
{
    return _mm512_and_si512(a, b);
}

/** a | (b & mask) */
ROWS_INLINE lanes_ints lanes_or_and(lanes_ints a, lanes_ints b, lanes_ints mask)
{
    return _mm512_ternarylogic_epi32(a, b, mask, 0xf8);
}

ROWS_INLINE lanes_ints lanes_down(lanes_ints a, int bits)
{
    return _mm512_srli_epi32(a, (unsigned)bits);
}

ROWS_INLINE lanes_ints lanes_up(lanes_ints a, int bits)
{
    return _mm512_slli_epi32(a, (unsigned)bits);
}

ROWS_INLINE lanes_ints lanes_add(lanes_ints a, lanes_ints b)
{
    return _mm512_add_epi32(a, b);
}

ROWS_INLINE lanes_ints lanes_subtract(lanes_ints a, lanes_ints b)
{
    return _mm512_sub_epi32(a, b);
}

ROWS_INLINE lanes_ints lanes_or(lanes_ints a, lanes_ints b)
{
    return _mm512_or_si512(a, b);
}

ROWS_INLINE lanes_ints lanes_add_bytes(lanes_ints a, lanes_ints b)
{
    return _mm512_add_epi8(a, b);
}

/** A word for each lane. */
ROWS_INLINE lanes_ints lanes_load_words(const uint8_t *at)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)at));
}

/** Of bytes. */
ROWS_INLINE lanes_ints lanes_less(lanes_ints a, lanes_ints b)
{
    return _mm512_sub_epi8(a, b);
}

ROWS_INLINE lanes_ints lanes_divide16(lanes_ints a)
{
    return _mm512_srai_epi32(a, 4);
}

ROWS_INLINE __m512i lanes_broadcast(const void *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm512_set1_epi32(bits);
}

/** Four columns. */
ROWS_INLINE lanes_group lanes_products(lanes_group sums, lanes_ints codes, const int8_t *a)
{
    return _mm512_dpbusd_epi32(sums, codes, lanes_broadcast(a));
}

/** Bytes first and, unless 0x80, second of each lane as words. */
ROWS_INLINE __m512i lanes_spread(lanes_ints bytes, int first, int second)
{
    const __m512i lane = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x00040004, 0x00080008, 0x000c000c));
    const __m512i dword = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 4, 8, 12));
    __m512i at = _mm512_set1_epi32((int32_t)(0x80008000u | (uint32_t)second << 16 | (uint32_t)first));
    return _mm512_shuffle_epi8(bytes, _mm512_add_epi8(at, second == 0x80 ? dword : lane));
}

/** A group's sum times the byte of it. */
ROWS_INLINE lanes_ints lanes_scaled(lanes_ints total, lanes_group sums, lanes_ints scales, int byte)
{
    return _mm512_add_epi32(total, _mm512_mullo_epi32(sums, lanes_spread(scales, byte, 0x80)));
}

/** Two bytes of each lane times two words. */
ROWS_INLINE lanes_ints lanes_words(lanes_ints total, lanes_ints bytes, int byte, const int16_t *words)
{
    return _mm512_dpwssd_epi32(total, lanes_spread(bytes, byte, byte + 1), lanes_broadcast(words));
}

/** A byte of each lane as the upper one of the word that its sum meets: 256 times itself. */
ROWS_INLINE lanes_ints lanes_upper(lanes_ints bytes, int byte)
{
    const __m512i lane = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x0400, 0x0800, 0x0c00));
    __m512i at = _mm512_set1_epi32((int32_t)(0x80800080u | (uint32_t)byte << 8));
    return _mm512_shuffle_epi8(bytes, _mm512_add_epi8(lane, at));
}

/** Words over 256. */
ROWS_INLINE lanes_ints lanes_from_upper(lanes_ints words)
{
    return _mm512_srai_epi16(words, 8);
}

ROWS_INLINE lanes_ints lanes_times_words(lanes_ints total, lanes_group sums, lanes_ints words)
{
    return _mm512_dpwssd_epi32(total, sums, words);
}

ROWS_INLINE void lanes_store(float *out, lanes_floats sum)
{
    _mm512_storeu_ps(out, sum);
}

ROWS_INLINE lanes_floats lanes_add_scaled(lanes_floats sum, lanes_ints whole, const uint8_t *halves, float scale)
{
    __m512 both = _mm512_mul_ps(_mm512_cvtph_ps(_mm256_loadu_si256((const void *)halves)), _mm512_set1_ps(scale));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), both, sum);
}

/** The same of times * whole[0] + whole[1], which 32 bits do not hold. */
ROWS_INLINE lanes_floats lanes_add_scaled_both(lanes_floats sum, const lanes_ints *whole, float times,
                                               const uint8_t *halves, float scale)
{
    __m512 both = _mm512_mul_ps(_mm512_cvtph_ps(_mm256_loadu_si256((const void *)halves)), _mm512_set1_ps(scale));
    __m512 first = _mm512_cvtepi32_ps(whole[0]), second = _mm512_cvtepi32_ps(whole[1]);
    return _mm512_fmadd_ps(_mm512_fmadd_ps(first, _mm512_set1_ps(times), second), both, sum);
}

#endif
