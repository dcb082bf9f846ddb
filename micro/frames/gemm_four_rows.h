/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four bytes of each of four rows side by side, for GEMMs that interleave rows into scratch.
 */
#ifndef MICRO_FRAMES_GEMM_FOUR_ROWS_H
#define MICRO_FRAMES_GEMM_FOUR_ROWS_H

#include <immintrin.h>

#include "micro/frames/rows.h"

/** Bytes at `at` of rows row … row + 3: four of each side by side, of 16 of each. */
ROWS_INLINE void gemm_four_rows(const uint8_t *const *row, size_t at, __m128i *lines)
{
    __m128i bytes[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        bytes[r] = _mm_loadu_si128((const __m128i *)(const void *)(row[r] + at));
    __m128i low = _mm_unpacklo_epi32(bytes[0], bytes[1]), low2 = _mm_unpacklo_epi32(bytes[2], bytes[3]);
    __m128i high = _mm_unpackhi_epi32(bytes[0], bytes[1]), high2 = _mm_unpackhi_epi32(bytes[2], bytes[3]);
    lines[0] = _mm_unpacklo_epi64(low, low2);
    lines[1] = _mm_unpackhi_epi64(low, low2);
    lines[2] = _mm_unpacklo_epi64(high, high2);
    lines[3] = _mm_unpackhi_epi64(high, high2);
}

#endif
