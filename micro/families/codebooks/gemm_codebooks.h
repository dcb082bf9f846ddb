/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Group-wise codebooks brought into the scratch of gemm_group_scales.h: values are looked up once for all tokens. The including file includes
 * gemm_group_scales_<isa>.h before this.
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_GEMM_CODEBOOKS_H
#define MICRO_FAMILIES_CODEBOOKS_GEMM_CODEBOOKS_H

#include "micro/families/codebooks/codebook_unpack.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_STORED_ROWS BLOCK_ROWS
#include "micro/families/group_scales/gemm_group_scales.h"

/** Rows 8 half … of a block. */
static void gemm_unpack(const uint8_t *block, size_t half, const struct codebook_tables *tables, uint8_t *to)
{
    __m256i start = _mm256_setzero_si256(), of_rows[4] = {start, start, start, start};
    to += 32 * half;
#pragma GCC unroll 4
    for (int quarter = 0; quarter < 4; quarter++) {
#if CB_NUMBER_BITS == 4
        codebook_of_rows(codebook_load(block + 32 + 64 * quarter + 32 * half), tables, of_rows);
#endif
#pragma GCC unroll 4
        for (int group = 4 * quarter; group < 4 * quarter + 4; group++) {
            __m256i values[4], byte = codebook_unpack(block, half, group, tables, of_rows, values);
#pragma GCC unroll 4
            for (int p = 0; p < 4; p++)
                gemm_store_256(to + 64 * (4 * group + p), values[p]);
            gemm_store_256(to + GEMM_SCALES + 64 * group, gemm_scale_of(byte, CB_NUMBER_BITS));
            if (GEMM_OFFSET) {
                __m256i scale = _mm256_srai_epi32(byte, 24 + CB_NUMBER_BITS);
                start = _mm256_sub_epi32(start, _mm256_mullo_epi32(gemm_total(values), scale));
            }
        }
    }
    gemm_store_256(to + GEMM_START, _mm256_mullo_epi32(start, _mm256_set1_epi32(GEMM_OFFSET)));
    __m128i d = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * half));
    _mm256_storeu_ps((float *)(void *)(to + GEMM_D), _mm256_cvtph_ps(d));
}

static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
{
    (void)stride, (void)count; /* a panel has all 16 rows */
    const struct codebook_tables tables = codebook_tables();
    for (size_t half = 0; half < 2; half++)
        gemm_unpack(panels + block * BLOCK_BYTES, half, &tables, to);
}

#endif
