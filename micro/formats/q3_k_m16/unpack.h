/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of q3_k_m16 brought into the scratch of gemm_group_scales.h, 8 rows at a time. The including .c includes gemm_group_scales_<isa>.h before this.
 */
#ifndef MICRO_FORMATS_Q3_K_M16_UNPACK_H
#define MICRO_FORMATS_Q3_K_M16_UNPACK_H

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/formats/q3_k/codes_256.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_STORED_ROWS BLOCK_ROWS
#include "micro/families/group_scales/gemm_group_scales.h"

/** Four columns of a row to a lane, in each of four groups. */
ROWS_INLINE void gemm_unpack_line(const uint8_t *block, int line, uint8_t *to)
{
    __m256i low = block_load(block + BLOCK_CODES + 64 * line), high = block_load(block + BLOCK_HIGH + line % 8 * 64);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
        int number = line / 8 * 4 + j, group = 2 * number + line % 8 / 4;
        __m256i codes = q3_k_codes(j < 2 ? low : _mm256_srli_epi16(low, 4), high, number);
        /* 5 bits at most: no bit of one byte comes to another */
        codes = number % 2 ? _mm256_srli_epi16(codes, 2) : codes;
        gemm_store_256(to + 64 * (4 * group + line % 4), _mm256_sub_epi8(codes, _mm256_set1_epi8(4)));
    }
}

/** Bytes of the scales of groups 4 m … in the lanes of bytes[m]. */
ROWS_INLINE void gemm_unpack_scales(const uint8_t *block, __m256i *bytes)
{
    __m256i low[2] = {block_load(block + BLOCK_SCALES), block_load(block + BLOCK_SCALES + 64)};
    __m256i high = block_load(block + BLOCK_SCALES + 128);
    const __m256i shifted[4] = {_mm256_slli_epi16(high, 4), _mm256_slli_epi16(high, 2), high,
                                _mm256_srli_epi16(high, 2)};
#pragma GCC unroll 4
    for (int m = 0; m < 4; m++) {
        __m256i bits = _mm256_and_si256(m < 2 ? low[m % 2] : _mm256_srli_epi16(low[m % 2], 4), _mm256_set1_epi8(15));
        bits = _mm256_or_si256(bits, _mm256_and_si256(shifted[m], _mm256_set1_epi8(0x30)));
        bytes[m] = _mm256_sub_epi8(bits, _mm256_set1_epi8(32));
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
        gemm_unpack_scales(at + 32 * half, bytes);
        gemm_put_scales(bytes, _mm256_cvtph_ps(block_load_half(at + 16 * half)), to);
    }
}

#endif
