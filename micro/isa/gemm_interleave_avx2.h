/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows that lie one after the other, brought into lanes: for gemm_interleave() of gemm_blocks.h.
 */
#ifndef MICRO_ISA_GEMM_INTERLEAVE_AVX2_H
#define MICRO_ISA_GEMM_INTERLEAVE_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "micro/isa/rows_inline.h"

/** 16 bytes of rows r and r + 4 in the halves of pair[r]: bytes 4 i … 4 i + 3 of row r in lane r of to[i]. */
ROWS_INLINE void gemm_transpose_pairs(const __m256i *pair, __m256i *to)
{
    __m256i low = _mm256_unpacklo_epi32(pair[0], pair[1]), low2 = _mm256_unpacklo_epi32(pair[2], pair[3]);
    __m256i high = _mm256_unpackhi_epi32(pair[0], pair[1]), high2 = _mm256_unpackhi_epi32(pair[2], pair[3]);
    to[0] = _mm256_unpacklo_epi64(low, low2);
    to[1] = _mm256_unpackhi_epi64(low, low2);
    to[2] = _mm256_unpacklo_epi64(high, high2);
    to[3] = _mm256_unpackhi_epi64(high, high2);
}

/** Of 16 bytes of eight rows, from byte `at` of each on. */
ROWS_INLINE void gemm_transpose_rows(const uint8_t *const *row, size_t at, __m256i *to)
{
    __m256i pair[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        pair[r] = _mm256_setr_m128i(_mm_loadu_si128((const __m128i *)(const void *)(row[r] + at)),
                                    _mm_loadu_si128((const __m128i *)(const void *)(row[r + 4] + at)));
    gemm_transpose_pairs(pair, to);
}

#endif
