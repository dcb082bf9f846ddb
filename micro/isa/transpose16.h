/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_ISA_TRANSPOSE16_H
#define MICRO_ISA_TRANSPOSE16_H

#include <immintrin.h>

/** Transpose 16 x 16 dwords in registers: 64 shuffles, by pairs of dwords, of quadwords, then of quarters twice. */
static inline __attribute__((always_inline)) void transpose_16(__m512i rows[16])
{
    __m512i pairs[16], fours[16];
#pragma GCC unroll 8
    for (int i = 0; i < 16; i += 2) {
        pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    /* fours[4 g + c], quarter q: column 4 q + c of rows 4 g … */
#pragma GCC unroll 4
    for (int i = 0; i < 16; i += 4) {
        fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
#pragma GCC unroll 4
    for (int c = 0; c < 4; c++) {
        __m512i low02 = _mm512_shuffle_i32x4(fours[c], fours[4 + c], 0x88);
        __m512i low13 = _mm512_shuffle_i32x4(fours[c], fours[4 + c], 0xdd);
        __m512i high02 = _mm512_shuffle_i32x4(fours[8 + c], fours[12 + c], 0x88);
        __m512i high13 = _mm512_shuffle_i32x4(fours[8 + c], fours[12 + c], 0xdd);
        rows[c] = _mm512_shuffle_i32x4(low02, high02, 0x88);
        rows[8 + c] = _mm512_shuffle_i32x4(low02, high02, 0xdd);
        rows[4 + c] = _mm512_shuffle_i32x4(low13, high13, 0x88);
        rows[12 + c] = _mm512_shuffle_i32x4(low13, high13, 0xdd);
    }
}

#endif
