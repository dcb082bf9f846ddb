/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words hold the sums of four products, 4 * 12 * 127, and vpmaddwd adds both words of a lane times their scale.
 */
#include <immintrin.h>

#define Q2_K_MINIMA_ORDER                                                                                              \
    {                                                                                                                  \
        0, 2, 1, 3, 0, 2, 1, 3                                                                                         \
    }
#define Q2_K_FOURS_SCALE 1
#include "micro/formats/q2_k_8x8/interleaved.h"

struct q2_k_sums {
    __m256i one, four, minima; /* of codes: as they are, four times too large */
};

ROWS_INLINE __m256i both_lanes(__m128i lane)
{
    return _mm256_broadcastsi128_si256(lane);
}

/** Words of the scale of a field, group of odd or even number. */
ROWS_INLINE __m256i spread(__m256i scales, int field, int odd)
{
    const __m128i first = _mm_setr_epi16((short)0x8000, (short)0x8000, (short)0x8000, (short)0x8000, (short)0x8002,
                                         (short)0x8002, (short)0x8002, (short)0x8002);
    int at = field / 2 * 4 + field % 2 * 8 + odd;
    return _mm256_shuffle_epi8(scales, both_lanes(_mm_add_epi8(first, _mm_set1_epi16((short)at))));
}

ROWS_INLINE __m256i times(__m256i codes, int mask, const struct q2_k_operand *a, int half, int field, int line)
{
    return _mm256_maddubs_epi16(_mm256_and_si256(codes, _mm256_set1_epi8((char)mask)),
                                _mm256_set1_epi64x(q2_k_eight(a, half, field, line)));
}

/** A field of two lines, a group, times its scale. */
ROWS_INLINE __m256i add_field(__m256i sum, const __m256i *codes, __m256i scales, const struct q2_k_operand *a, int half,
                              int field, int odd)
{
    int mask = field % 2 ? 12 : 3;
    __m256i words = _mm256_add_epi16(times(codes[0], mask, a, half, field, 2 * odd),
                                     times(codes[1], mask, a, half, field, 2 * odd + 1));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(words, spread(scales, field, odd)));
}

ROWS_INLINE void add_group_pairs(struct q2_k_sums *sums, const uint8_t *weights, __m256i scales,
                                 const struct q2_k_operand *a, int half)
{
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; odd++) {
        __m256i codes[2];
#pragma GCC unroll 2
        for (int line = 0; line < 2; line++) {
            codes[line] = _mm256_loadu_si256((const __m256i *)(const void *)(weights + LINE * (2 * odd + line)));
            ROWS_IN_REGISTER(codes[line]);
        }
        sums->one = add_field(sums->one, codes, scales, a, half, 0, odd);
        sums->four = add_field(sums->four, codes, scales, a, half, 1, odd);
        codes[0] = _mm256_srli_epi16(codes[0], 4);
        codes[1] = _mm256_srli_epi16(codes[1], 4);
        sums->one = add_field(sums->one, codes, scales, a, half, 2, odd);
        sums->four = add_field(sums->four, codes, scales, a, half, 3, odd);
    }
}

ROWS_INLINE void add_minima(struct q2_k_sums *sums, __m256i groups, const struct q2_k_operand *a, int half)
{
    const __m256i order = both_lanes(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    const __m128i *of = (const __m128i *)(const void *)a->sums[half];
    __m256i minima = _mm256_shuffle_epi8(groups, order);
    __m256i even = _mm256_and_si256(minima, _mm256_set1_epi16(0x00f0)), odd = _mm256_srli_epi16(minima, 12);
    even = _mm256_madd_epi16(even, both_lanes(_mm_load_si128(&of[0])));
    odd = _mm256_madd_epi16(odd, both_lanes(_mm_load_si128(&of[1])));
    sums->minima = _mm256_add_epi32(sums->minima, _mm256_add_epi32(even, odd));
}

/** Both lanes of each row. */
ROWS_INLINE __m256i neighbours(__m256i first, __m256i second)
{
    __m256 a = _mm256_castsi256_ps(first), b = _mm256_castsi256_ps(second);
    __m256i even = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    return _mm256_add_epi32(even, _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd)));
}

ROWS_INLINE __m256i rows_codes(const struct q2_k_sums *first, const struct q2_k_sums *second)
{
    __m256i four = neighbours(first->four, second->four);
    return _mm256_add_epi32(neighbours(first->one, second->one), _mm256_srai_epi32(four, 2));
}

ROWS_INLINE __m256i rows_minima(const struct q2_k_sums *first, const struct q2_k_sums *second)
{
    return neighbours(first->minima, second->minima);
}

#include "micro/formats/q2_k_8x8/interleaved_256.h"

const struct kernel SELF = Q2_K_INTERLEAVED_KERNEL;

#include "micro/frames/gamma.h"
