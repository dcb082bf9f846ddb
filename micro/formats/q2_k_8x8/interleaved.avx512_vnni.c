/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A register is a line of codes, of all eight rows. Sums of two fields are packed to words, of which vpdpwssd adds both lanes of a row
 * times their scale: 8 * 12 * 127 is a word. What is four times too large meets a quarter of the scale.
 */
#include <immintrin.h>

#define Q2_K_MINIMA_ORDER                                                                                              \
    {                                                                                                                  \
        0, 2, 0, 2, 1, 3, 1, 3                                                                                         \
    }
#define Q2_K_FOURS_SCALE 0.25f
#include "micro/formats/q2_k_8x8/interleaved.h"

#define BLOCK_FLOATS                 "micro/families/blocks/blocks_avx512.h"
#define BLOCK_STORE(out, panel, sum) rows_store((out) + (panel)*BLOCK_ROWS, sum)

ROWS_INLINE void rows_store(float *out, __m512 sum)
{
    __m512 both = _mm512_add_ps(sum, _mm512_shuffle_ps(sum, sum, _MM_SHUFFLE(1, 0, 3, 2)));
    __m512d rows = _mm512_permutexvar_pd(_mm512_setr_epi64(0, 2, 4, 6, 0, 2, 4, 6), _mm512_castps_pd(both));
    _mm256_storeu_ps(out, _mm512_castps512_ps256(_mm512_castpd_ps(rows)));
}

ROWS_INLINE __m512i all_lanes(__m128i lane)
{
    return _mm512_broadcast_i32x4(lane);
}

/** Of two rows a 128-bit lane, twice. */
ROWS_INLINE __m512 rows_scales(const uint8_t *halves, __m512 scale)
{
    __m256i twice = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)halves));
    twice = _mm256_permutevar8x32_epi32(twice, _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
    return _mm512_mul_ps(_mm512_cvtph_ps(twice), scale);
}

/** The bytes of eight groups, two rows a 128-bit lane. */
ROWS_INLINE __m512i rows_groups(const uint8_t *bytes)
{
    const __m512i order = _mm512_setr_epi32(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
    return _mm512_permutexvar_epi32(order, _mm512_loadu_si512(bytes));
}

/** Words of the scales of fields 2 pair and 2 pair + 1, groups of odd or even number. */
ROWS_INLINE __m512i spread(__m512i scales, int pair, int odd)
{
    const __m128i first = _mm_setr_epi16((short)0x8000, (short)0x8000, (short)0x8002, (short)0x8002, (short)0x8008,
                                         (short)0x8008, (short)0x800a, (short)0x800a);
    return _mm512_shuffle_epi8(scales, all_lanes(_mm_add_epi8(first, _mm_set1_epi16((short)(4 * pair + odd)))));
}

ROWS_INLINE __m512i times(__m512i sum, __m512i codes, int mask, const struct q2_k_operand *a, int half, int field,
                          int line)
{
    return _mm512_dpbusd_epi32(sum, _mm512_and_si512(codes, _mm512_set1_epi8((char)mask)),
                               _mm512_set1_epi64(q2_k_eight(a, half, field, line)));
}

/** 128 columns: four lines. */
ROWS_INLINE __m512i add_codes(__m512i sum, const uint8_t *weights, __m512i scales, const struct q2_k_operand *a,
                              int half)
{
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; odd++) {
        __m512i of[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                         _mm512_setzero_si512()};
#pragma GCC unroll 2
        for (int line = 2 * odd; line < 2 * odd + 2; line++) {
            __m512i codes = _mm512_loadu_si512(weights + LINE * line);
            ROWS_IN_REGISTER(codes);
            of[0] = times(of[0], codes, 3, a, half, 0, line);
            of[1] = times(of[1], codes, 12, a, half, 1, line);
            codes = _mm512_srli_epi16(codes, 4);
            of[2] = times(of[2], codes, 3, a, half, 2, line);
            of[3] = times(of[3], codes, 12, a, half, 3, line);
        }
        sum = _mm512_dpwssd_epi32(sum, _mm512_packs_epi32(of[0], of[1]), spread(scales, 0, odd));
        sum = _mm512_dpwssd_epi32(sum, _mm512_packs_epi32(of[2], of[3]), spread(scales, 1, odd));
    }
    return sum;
}

ROWS_INLINE __m512i add_minima(__m512i sum, __m512i groups, const struct q2_k_operand *a, int half)
{
    const __m512i order = all_lanes(_mm_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15));
    const __m128i *of = (const __m128i *)(const void *)a->sums[half];
    __m512i minima = _mm512_shuffle_epi8(groups, order);
    __m512i even = _mm512_and_si512(minima, _mm512_set1_epi16(0x00f0)), odd = _mm512_srli_epi16(minima, 12);
    sum = _mm512_dpwssd_epi32(sum, even, all_lanes(_mm_load_si128(&of[0])));
    return _mm512_dpwssd_epi32(sum, odd, all_lanes(_mm_load_si128(&of[1])));
}

ROWS_INLINE __m512 add_block(__m512 sum, const uint8_t *weights, const struct q2_k_operand *a)
{
    ROWS_READ_AGAIN(a);
    __m512i codes = _mm512_setzero_si512(), minima = _mm512_setzero_si512();
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        __m512i groups = rows_groups(weights + GROUP_BYTES + 64 * half);
        minima = add_minima(minima, groups, a, half);
        groups = _mm512_and_si512(groups, _mm512_set1_epi8(15));
        codes = add_codes(codes, weights + CODES + 4 * LINE * half, groups, a, half);
    }
    __m512 scale = _mm512_broadcast_f32x4(_mm_load_ps(a->scale));
    sum = _mm512_fmadd_ps(_mm512_cvtepi32_ps(codes), rows_scales(weights + PANEL_D, scale), sum);
    scale = _mm512_set1_ps(a->minima);
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(minima), rows_scales(weights + PANEL_DMIN, scale), sum);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/q2_k/row.h"

const struct kernel SELF = Q2_K_INTERLEAVED_KERNEL;

#include "micro/frames/gamma.h"
