/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The step of interleaved.h in registers of 256 bits, four rows after the other four. The including .c defines, after interleaved.h,
 *
 *   struct q2_k_sums   registers of four rows' sums: codes, and minima
 *   add_group_pairs(sums, codes, scales, a, half)   128 columns: lines of four rows, 64 bytes apart
 *   add_minima(sums, groups, a, half)               of the same columns: groups as they lie
 *   rows_codes(first, second), rows_minima(first, second)   sums of rows 0 1 4 5 | 2 3 6 7
 */
#ifndef MICRO_FORMATS_Q2_K_8X8_INTERLEAVED_256_H
#define MICRO_FORMATS_Q2_K_8X8_INTERLEAVED_256_H

#define BLOCK_STORE(out, panel, sum) rows_store((out) + (panel)*BLOCK_ROWS, sum)

ROWS_INLINE void rows_store(float *out, __m256 sum)
{
    __m256d rows = _mm256_castps_pd(sum); /* 0 1 4 5 | 2 3 6 7 */
    _mm256_storeu_ps(out, _mm256_castpd_ps(_mm256_permute4x64_pd(rows, _MM_SHUFFLE(3, 1, 2, 0))));
}

ROWS_INLINE __m256 rows_scales(const uint8_t *halves, float scale)
{
    __m128i rows = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)halves), _MM_SHUFFLE(3, 1, 2, 0));
    return _mm256_mul_ps(_mm256_cvtph_ps(rows), _mm256_set1_ps(scale));
}

/** The bytes of eight groups of rows 4 four …, two rows a 128-bit lane. */
ROWS_INLINE __m256i rows_groups(const uint8_t *bytes, int four)
{
    __m256i first = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
    __m256i second = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + 32));
    __m256i rows = four ? _mm256_unpackhi_epi32(first, second) : _mm256_unpacklo_epi32(first, second);
    return _mm256_permute4x64_epi64(rows, _MM_SHUFFLE(3, 1, 2, 0));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q2_k_operand *a)
{
    struct q2_k_sums sums[2];
#pragma GCC unroll 2
    for (int four = 0; four < 2; four++) {
        ROWS_READ_AGAIN(a);
        memset(&sums[four], 0, sizeof sums[four]);
#pragma GCC unroll 2
        for (int half = 0; half < 2; half++) {
            __m256i groups = rows_groups(weights + GROUP_BYTES + 64 * half, four);
            ROWS_IN_REGISTER(groups);
            add_minima(&sums[four], groups, a, half);
            groups = _mm256_and_si256(groups, _mm256_set1_epi8(15));
            add_group_pairs(&sums[four], weights + CODES + 4 * LINE * half + 32 * four, groups, a, half);
        }
    }
    __m256i codes = rows_codes(&sums[0], &sums[1]), minima = rows_minima(&sums[0], &sums[1]);
    sum = _mm256_fmadd_ps(_mm256_cvtepi32_ps(codes), rows_scales(weights + PANEL_D, a->scale[0]), sum);
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(minima), rows_scales(weights + PANEL_DMIN, a->minima), sum);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/q2_k/row.h"

#endif
