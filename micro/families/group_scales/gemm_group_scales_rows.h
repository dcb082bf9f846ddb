/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_interleave() of gemm_group_scales.h for formats that are stored row by row: four rows at a time are unpacked and transposed, so that a lane is
 * a row. The including file includes gemm_group_scales_<isa>.h before this, and defines
 *
 *   GEMM_BLOCK_BYTES           of a block of a row
 *   GEMM_ROW_D, GEMM_D_FACTOR  byte of its d, and what that is multiplied by
 *
 *   __m128i group_scales(const uint8_t *block)   of the 16 groups, signed bytes
 *   void gemm_unpack_rows(const uint8_t *const *row, uint8_t *to)   four rows: gemm_transpose() of each 32 columns to the lines they are
 */
#ifndef MICRO_FAMILIES_GROUP_SCALES_GEMM_GROUP_SCALES_ROWS_H
#define MICRO_FAMILIES_GROUP_SCALES_GEMM_GROUP_SCALES_ROWS_H

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/isa/gemm_interleave_avx2.h"

#define GEMM_STORED_ROWS 1
#include "micro/families/group_scales/gemm_group_scales.h"

ROWS_INLINE __m128i group_scales(const uint8_t *block);
static void gemm_unpack_rows(const uint8_t *const *row, uint8_t *to);

ROWS_INLINE void gemm_store_halves(uint8_t *to, __m256i value, size_t upper)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(value));
    _mm_storeu_si128((__m128i *)(void *)(to + upper), _mm256_extracti128_si256(value, 1));
}

/** 32 columns of four rows, 16 bytes to a lane of 128 bits: columns 4 l … of each side by side in line l. */
ROWS_INLINE void gemm_transpose(const __m256i *row, uint8_t *to)
{
    __m256i low = _mm256_unpacklo_epi32(row[0], row[1]), low2 = _mm256_unpacklo_epi32(row[2], row[3]);
    __m256i high = _mm256_unpackhi_epi32(row[0], row[1]), high2 = _mm256_unpackhi_epi32(row[2], row[3]);
    gemm_store_halves(to, _mm256_unpacklo_epi64(low, low2), 256);
    gemm_store_halves(to + 64, _mm256_unpackhi_epi64(low, low2), 256);
    gemm_store_halves(to + 128, _mm256_unpacklo_epi64(high, high2), 256);
    gemm_store_halves(to + 192, _mm256_unpackhi_epi64(high, high2), 256);
}

/** Bytes of the scales of 16 groups of each of eight rows: groups 4 m … in the lanes of bytes[m]. */
ROWS_INLINE void gemm_load_scales(const uint8_t *const *row, __m256i *bytes)
{
    __m256i both[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        both[r] = _mm256_setr_m128i(group_scales(row[r]), group_scales(row[r + 4]));
    gemm_transpose_pairs(both, bytes);
}

/** Scales of eight rows. */
static void gemm_put_row_scales(const uint8_t *const *row, uint8_t *to)
{
    __m256i bytes[4];
    uint16_t d[8];
    gemm_load_scales(row, bytes);
    for (size_t r = 0; r < 8; r++)
        memcpy(&d[r], row[r] + GEMM_ROW_D, sizeof d[r]);
    gemm_put_scales(bytes, _mm256_mul_ps(_mm256_cvtph_ps(block_load_half(d)), _mm256_set1_ps(GEMM_D_FACTOR)), to);
}

static void gemm_interleave(const uint8_t *rows, size_t stride, size_t count, size_t block, uint8_t *to)
{
    static const uint8_t none[BLOCK_BYTES]; /* d is 0 */
    const uint8_t *row[16];
    for (size_t r = 0; r < 16; r++)
        row[r] = r < count ? rows + r * stride + block * BLOCK_BYTES : none;
    for (size_t r = 0; r < 16; r += 4)
        gemm_unpack_rows(row + r, to + 4 * r);
    for (size_t half = 0; half < 2; half++)
        gemm_put_row_scales(row + 8 * half, to + 32 * half);
}

#endif
