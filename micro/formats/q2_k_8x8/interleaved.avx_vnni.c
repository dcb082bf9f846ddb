/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums of two fields are packed to words, of which vpdpwssd adds both lanes of a row times their scale: 8 * 12 * 127 is a word.
 *
 * A block of eight rows is 241 uops on the four pipes of Zen 5, 60 cycles, 0.94 per output vector, and takes 80 from the first-level cache. The
 * others go to loads, of which it has two a cycle: each eight activations are broadcast once for the first four rows and once for the
 * others, and with what the compiler spills that is some 125, as many cycles again as the arithmetic; both together rarely issue as they might. Written out in
 * assembly, two fields of all eight rows at a time, one broadcast for both, the same uops and 108 loads took 70. Compilers
 * spill more of that than it saves: 83, and of all four fields at a time 124.
 */
#include <immintrin.h>

#define Q2_K_MINIMA_ORDER                                                                                              \
    {                                                                                                                  \
        0, 2, 0, 2, 1, 3, 1, 3                                                                                         \
    }
#define Q2_K_FOURS_SCALE 1
#include "micro/formats/q2_k_8x8/interleaved.h"

struct q2_k_sums {
    __m256i codes, minima;
};

ROWS_INLINE __m256i both_lanes(__m128i lane)
{
    return _mm256_broadcastsi128_si256(lane);
}

/** Words of the scales of fields 2 pair and 2 pair + 1, groups of odd or even number. */
ROWS_INLINE __m256i spread(__m256i scales, int pair, int odd)
{
    const __m128i first = _mm_setr_epi16((short)0x8000, (short)0x8000, (short)0x8002, (short)0x8002, (short)0x8008,
                                         (short)0x8008, (short)0x800a, (short)0x800a);
    return _mm256_shuffle_epi8(scales, both_lanes(_mm_add_epi8(first, _mm_set1_epi16((short)(4 * pair + odd)))));
}

ROWS_INLINE __m256i times(__m256i sum, __m256i codes, int mask, const struct q2_k_operand *a, int half, int field,
                          int line)
{
    return _mm256_dpbusd_avx_epi32(sum, _mm256_and_si256(codes, _mm256_set1_epi8((char)mask)),
                                   _mm256_set1_epi64x(q2_k_eight(a, half, field, line)));
}

ROWS_INLINE void add_group_pairs(struct q2_k_sums *sums, const uint8_t *weights, __m256i scales,
                                 const struct q2_k_operand *a, int half)
{
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; odd++) {
        __m256i of[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                         _mm256_setzero_si256()};
#pragma GCC unroll 2
        for (int line = 2 * odd; line < 2 * odd + 2; line++) {
            __m256i codes = _mm256_loadu_si256((const __m256i *)(const void *)(weights + LINE * line));
            ROWS_IN_REGISTER(codes);
            of[0] = times(of[0], codes, 3, a, half, 0, line);
            of[1] = times(of[1], codes, 12, a, half, 1, line);
            codes = _mm256_srli_epi16(codes, 4);
            of[2] = times(of[2], codes, 3, a, half, 2, line);
            of[3] = times(of[3], codes, 12, a, half, 3, line);
        }
        sums->codes = _mm256_dpwssd_avx_epi32(sums->codes, _mm256_packs_epi32(of[0], of[1]), spread(scales, 0, odd));
        sums->codes = _mm256_dpwssd_avx_epi32(sums->codes, _mm256_packs_epi32(of[2], of[3]), spread(scales, 1, odd));
    }
}

ROWS_INLINE void add_minima(struct q2_k_sums *sums, __m256i groups, const struct q2_k_operand *a, int half)
{
    const __m256i order = both_lanes(_mm_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15));
    const __m128i *of = (const __m128i *)(const void *)a->sums[half];
    __m256i minima = _mm256_shuffle_epi8(groups, order);
    __m256i even = _mm256_and_si256(minima, _mm256_set1_epi16(0x00f0)), odd = _mm256_srli_epi16(minima, 12);
    sums->minima = _mm256_dpwssd_avx_epi32(sums->minima, even, both_lanes(_mm_load_si128(&of[0])));
    sums->minima = _mm256_dpwssd_avx_epi32(sums->minima, odd, both_lanes(_mm_load_si128(&of[1])));
}

/** The last two double words of a lane are four times too large. */
ROWS_INLINE __m256i rows_codes(const struct q2_k_sums *first, const struct q2_k_sums *second)
{
    __m256i four = _mm256_unpackhi_epi64(first->codes, second->codes);
    return _mm256_add_epi32(_mm256_unpacklo_epi64(first->codes, second->codes), _mm256_srai_epi32(four, 2));
}

ROWS_INLINE __m256i rows_minima(const struct q2_k_sums *first, const struct q2_k_sums *second)
{
    return _mm256_add_epi32(_mm256_unpacklo_epi64(first->minima, second->minima),
                            _mm256_unpackhi_epi64(first->minima, second->minima));
}

#include "micro/formats/q2_k_8x8/interleaved_256.h"

const struct kernel SELF = Q2_K_INTERLEAVED_KERNEL;

#include "micro/frames/gamma.h"
