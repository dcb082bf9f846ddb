/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen rows that lie one after the other, brought into lanes: for gemm_interleave() of gemm_blocks.h.
 */
#ifndef MICRO_ISA_GEMM_INTERLEAVE_AVX512_H
#define MICRO_ISA_GEMM_INTERLEAVE_AVX512_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "micro/isa/rows_inline.h"

/** 16 bytes of rows 0, 4, 8 and 12 in the quarters of a register; rows that are not there are zeros. */
ROWS_INLINE __m512i gemm_quarters(const uint8_t *rows, size_t stride, size_t count)
{
    __m512i bytes = _mm512_setzero_si512();
    if (count > 0)
        bytes = _mm512_zextsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)rows));
    if (count > 4)
        bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const __m128i *)(const void *)(rows + 4 * stride)), 1);
    if (count > 8)
        bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const __m128i *)(const void *)(rows + 8 * stride)), 2);
    if (count > 12)
        bytes = _mm512_inserti32x4(bytes, _mm_loadu_si128((const __m128i *)(const void *)(rows + 12 * stride)), 3);
    return bytes;
}

/** 16 bytes of each of 16 rows: bytes 4 i … 4 i + 3 of row r in lane r of to[i]. A constant count is inlined. */
ROWS_INLINE void gemm_transpose(const uint8_t *rows, size_t stride, size_t count, __m512i *to)
{
    __m512i first = gemm_quarters(rows, stride, count);
    __m512i second = gemm_quarters(rows + stride, stride, count > 1 ? count - 1 : 0);
    __m512i third = gemm_quarters(rows + 2 * stride, stride, count > 2 ? count - 2 : 0);
    __m512i fourth = gemm_quarters(rows + 3 * stride, stride, count > 3 ? count - 3 : 0);
    __m512i low = _mm512_unpacklo_epi32(first, second), low2 = _mm512_unpacklo_epi32(third, fourth);
    __m512i high = _mm512_unpackhi_epi32(first, second), high2 = _mm512_unpackhi_epi32(third, fourth);
    to[0] = _mm512_unpacklo_epi64(low, low2);
    to[1] = _mm512_unpackhi_epi64(low, low2);
    to[2] = _mm512_unpacklo_epi64(high, high2);
    to[3] = _mm512_unpackhi_epi64(high, high2);
}

/** 16 bits of each of 16 rows. Words are copied one by one, which takes no vector port. */
ROWS_INLINE void gemm_gather_halves(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
    for (size_t row = 0; row < 16; row++) {
        uint16_t half = 0;
        if (row < count)
            memcpy(&half, rows + row * stride, sizeof half);
        memcpy(to + row * sizeof half, &half, sizeof half);
    }
}

#endif
