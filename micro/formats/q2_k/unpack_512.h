/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of Q2_K of 16 rows, a lane a row, unpacked to bytes: a code times the scale of its group of 16 columns is at most 45.
 */
#ifndef MICRO_FORMATS_Q2_K_UNPACK_512_H
#define MICRO_FORMATS_Q2_K_UNPACK_512_H

#include <immintrin.h>
#include <stdint.h>

#include "micro/frames/rows.h"

/** The scale of a group in both words of each row's lane. */
ROWS_INLINE __m512i q2_k_scale_of(const __m512i *groups, int group)
{
    const __m512i lane = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x00040004, 0x00080008, 0x000c000c));
    __m512i bytes = _mm512_add_epi8(_mm512_set1_epi16((int16_t)(0x8000 | group % 4)), lane);
    return _mm512_shuffle_epi8(_mm512_and_si512(groups[group / 4], _mm512_set1_epi8(15)), bytes);
}

/**
 * Bytes 16 sixteen … of a block's codes, a group of 16 columns in each of their four fields, to the lines of four columns of the block.
 *
 * @param groups  [4]: bytes of groups 4 m … 4 m + 3
 * @param codes   [4]: bytes 4 i … 4 i + 3 of these 16
 */
ROWS_INLINE void q2_k_unpack_sixteen(const __m512i *groups, const __m512i *codes, int sixteen, uint8_t *to)
{
#pragma GCC unroll 4
    for (int field = 0; field < 4; field++) {
        int group = sixteen / 2 * 8 + 2 * field + sixteen % 2;
        __m512i scale = q2_k_scale_of(groups, group);
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            __m512i code = _mm512_srli_epi16(codes[i], 2 * field);
            code = _mm512_and_si512(code, _mm512_set1_epi8(3));
            _mm512_store_si512(to + 256 * group + 64 * i, _mm512_mullo_epi16(code, scale));
        }
    }
}

#endif
