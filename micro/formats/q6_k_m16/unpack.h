/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of q6_k_m16 brought into the scratch of gemm_group_scales.h, 8 rows at a time. The including .c includes gemm_group_scales_<isa>.h before this.
 */
#ifndef MICRO_FORMATS_Q6_K_M16_UNPACK_H
#define MICRO_FORMATS_Q6_K_M16_UNPACK_H

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/formats/q6_k/codes_256.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_STORED_ROWS BLOCK_ROWS
#include "micro/families/group_scales/gemm_group_scales.h"

/** Four columns of a row to a lane, in each of the four fields of 128 columns. */
ROWS_INLINE void gemm_unpack_line(const uint8_t *block, int line, uint8_t *to)
{
    const uint8_t *at = block + BLOCK_CODES + (line / 8 * 16 + line % 8) * 64;
    const __m256i low[2] = {block_load(at), block_load(at + 8 * 64)}, high = block_load(block + BLOCK_HIGH + 64 * line);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
        int number = line / 8 * 4 + j;
        __m256i codes = q6_k_codes(low[j % 2], high, number);
        gemm_store_256(to + 64 * (8 * number + line % 8), _mm256_sub_epi8(codes, _mm256_set1_epi8(32)));
    }
}

static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
{
    (void)stride, (void)count; /* a panel has all 16 rows */
    for (size_t half = 0; half < 2; half++, to += 32) {
        const uint8_t *at = panels + block * BLOCK_BYTES;
        __m256i bytes[4];
#pragma GCC unroll 16
        for (int line = 0; line < 16; line++)
            gemm_unpack_line(at + 32 * half, line, to);
#pragma GCC unroll 4
        for (int m = 0; m < 4; m++)
            bytes[m] = block_load(at + BLOCK_SCALES + 64 * m + 32 * half);
        gemm_put_scales(bytes, _mm256_cvtph_ps(block_load_half(at + 16 * half)), to);
    }
}

#endif
