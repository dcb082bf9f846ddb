/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What gemm_group_scales_rows.h requires of q3_k. The including .c includes gemm_group_scales_<isa>.h before this.
 */
#ifndef MICRO_FORMATS_Q3_K_UNPACK_H
#define MICRO_FORMATS_Q3_K_UNPACK_H

#include "micro/formats/q3_k/fields_256.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_ROW_D       BLOCK_D
#define GEMM_D_FACTOR    1
#include "micro/families/group_scales/gemm_group_scales_rows.h"

ROWS_INLINE __m128i group_scales(const uint8_t *block)
{
    return q3_k_scales(block);
}

static void gemm_unpack_rows(const uint8_t *const *row, uint8_t *to)
{
#pragma GCC unroll 8
    for (int number = 0; number < 8; number++) {
        __m256i values[4];
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            __m256i low = block_load(row[r] + BLOCK_CODES + number / 4 * 32);
            __m256i codes = q3_k_codes(number % 4 < 2 ? low : _mm256_srli_epi16(low, 4), block_load(row[r]), number);
            /* 5 bits at most: no bit of one byte comes to another */
            codes = number % 2 ? _mm256_srli_epi16(codes, 2) : codes;
            values[r] = _mm256_sub_epi8(codes, _mm256_set1_epi8(4));
        }
        gemm_transpose(values, to + 512 * number);
    }
}

#endif
