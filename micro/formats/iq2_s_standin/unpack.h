/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows of iq2_s_standin brought into the scratch of gemm_group_scales.h by gemm_group_scales_rows.h: magnitudes are looked up and take their signs once for all tokens.
 * The including .c includes gemm_group_scales_<isa>.h before this.
 */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_UNPACK_H
#define MICRO_FORMATS_IQ2_S_STANDIN_UNPACK_H

#include "micro/formats/iq2_s_standin/vectors_avx2.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_ROW_D       0
#define GEMM_D_FACTOR    0.125f
#include "micro/families/group_scales/gemm_group_scales_rows.h"

/** 32 weights of a block, to be scaled, of four numbers. */
ROWS_INLINE __m256i gemm_values(const uint8_t *block, int i, uint64_t numbers)
{
    __m256i negative = signs(block, i);
    return _mm256_sub_epi8(_mm256_xor_si256(four_vectors(numbers), negative), negative);
}

/** Columns 128 half … of four rows. */
ROWS_INLINE void gemm_unpack_half(const uint8_t *const *row, int half, uint8_t *to)
{
    uint64_t number[4][4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++) {
        __m256i all = numbers(row[r], half);
        __m128i low = _mm256_castsi256_si128(all), high = _mm256_extracti128_si256(all, 1);
        number[r][0] = (uint64_t)_mm_cvtsi128_si64(low);
        number[r][1] = (uint64_t)_mm_extract_epi64(low, 1);
        number[r][2] = (uint64_t)_mm_cvtsi128_si64(high);
        number[r][3] = (uint64_t)_mm_extract_epi64(high, 1);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        __m256i values[4];
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++)
            values[r] = gemm_values(row[r], 4 * half + i, number[r][i]);
        gemm_transpose(values, to + 512 * (4 * half + i));
    }
}

static void gemm_unpack_rows(const uint8_t *const *row, uint8_t *to)
{
    gemm_unpack_half(row, 0, to);
    gemm_unpack_half(row, 1, to);
}

#endif
