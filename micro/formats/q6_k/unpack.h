/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What gemm_group_scales_rows.h requires of q6_k. The including .c includes gemm_group_scales_<isa>.h before this.
 */
#ifndef MICRO_FORMATS_Q6_K_UNPACK_H
#define MICRO_FORMATS_Q6_K_UNPACK_H

#include "micro/formats/q6_k/fields_256.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_ROW_D       BLOCK_D
#define GEMM_D_FACTOR    1
#include "micro/families/group_scales/gemm_group_scales_rows.h"

ROWS_INLINE __m128i group_scales(const uint8_t *block)
{
    return block_load_half(block + BLOCK_SCALES);
}

static void gemm_unpack_rows(const uint8_t *const *row, uint8_t *to)
{
#pragma GCC unroll 8
    for (int number = 0; number < 8; number++) {
        __m256i values[4];
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            __m256i codes = q6_k_codes(q6_k_low(row[r], number), q6_k_high(row[r], number), number);
            values[r] = _mm256_sub_epi8(codes, _mm256_set1_epi8(32));
        }
        gemm_transpose(values, to + 512 * number);
    }
}

#endif
