/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of nvfp4 as they are stored, four side by side: four blocks of a row at a time, whose 16 groups have a lane each in the end, so that
 * one conversion of sums, one of scales and one multiply-add serve 256 columns. 33 vector uops of them; a block at a time took 48.
 */
#include "micro/formats/mxfp4/codes.h"

#define NVFP4_REGISTER 64
#include "micro/formats/nvfp4/operand.h"

enum { BLOCKS = 4 };

struct operand {
    struct nvfp4_operand block[BLOCKS];
};

struct row_sums {
    __m512 lanes;
};

#include "micro/frames/rows.h"

/** Of a block, in 32 bits: two lanes of each half are a group's. */
ROWS_INLINE __m512i block_sums(const uint8_t *weights, const struct nvfp4_operand *a)
{
    const __m512i shifts = _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 4, 4);
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(weights + BLOCK_CODES));
    __m512i values = nibble_codes(_mm512_srlv_epi64(_mm512_broadcast_i64x4(bytes), shifts));
    return _mm512_dpbusd_epi32(_mm512_load_si512(a->start), values, _mm512_load_si512(a->q));
}

/** Sums of neighbouring lanes, of a and then of b in each quarter. */
ROWS_INLINE __m512i add_pairs(__m512i a, __m512i b)
{
    return _mm512_madd_epi16(_mm512_packs_epi32(a, b), _mm512_set1_epi16(1));
}

/** Groups 0 and 1 of all four blocks, then groups 2 and 3: at most 16 * 12 * 127 each, so that words hold them. */
ROWS_INLINE __m512 group_sums(const __m512i *sums)
{
    __m512i words = _mm512_packs_epi32(add_pairs(sums[0], sums[1]), add_pairs(sums[2], sums[3]));
    __m256i whole = _mm256_add_epi16(_mm512_castsi512_si256(words), _mm512_extracti64x4_epi64(words, 1));
    return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(whole));
}

/** 64 bytes, or as many as the blocks have. */
ROWS_INLINE __m512i two_blocks(const uint8_t *weights, size_t blocks)
{
    if (blocks == 0)
        return _mm512_setzero_si512();
    return _mm512_maskz_loadu_epi8(blocks > 1 ? ~(__mmask64)0 : ((__mmask64)1 << BLOCK_BYTES) - 1, weights);
}

/** In the lanes that the groups have, 256 times too small. */
ROWS_INLINE __m512 group_scales(const uint8_t *weights, size_t blocks)
{
    const __m512i first_of_blocks = _mm512_setr_epi32(0, 9, 16, 25, 0, 9, 16, 25, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i lanes =
        _mm256_setr_epi8(-1, 0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, /* in upper bytes */
                         -1, 2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15);
    __m512i first = two_blocks(weights, blocks);
    __m512i second = two_blocks(weights + 2 * BLOCK_BYTES, blocks > 2 ? blocks - 2 : 0);
    __m512i scales = _mm512_permutex2var_epi32(first, first_of_blocks, second);
    __m256i words = _mm256_shuffle_epi8(_mm512_castsi512_si256(scales), lanes);
    return _mm512_cvtph_ps(_mm256_and_si256(_mm256_srli_epi16(words, 1), _mm256_set1_epi16(0x3f80)));
}

ROWS_INLINE void add_blocks(struct row_sums *sum, const uint8_t *weights, size_t blocks, const struct operand *a)
{
    __m512i sums[BLOCKS];
#pragma GCC unroll 4
    for (size_t b = 0; b < BLOCKS; b++)
        sums[b] = b < blocks ? block_sums(weights + b * BLOCK_BYTES, &a->block[b]) : _mm512_setzero_si512();
    __m512 scales = _mm512_broadcast_f32x8(_mm256_load_ps(a->block->scales_of_four));
    scales = _mm512_mul_ps(group_scales(weights, blocks), scales);
    sum->lanes = _mm512_fmadd_ps(group_sums(sums), scales, sum->lanes);
}

ROWS_INLINE __m512 row_lanes(struct row_sums sum)
{
    return sum.lanes;
}

#include "micro/families/blocks/block_fours_avx512.h"

extern const struct format SELF_FORMAT;

KERNEL_ROW(row_of, nvfp4_value((const struct nvfp4_operand *)prepared + column / BLOCK_COLUMNS, column % BLOCK_COLUMNS))

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = BLOCKS * BLOCK_COLUMNS,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of,
};

#include "micro/frames/gamma.h"
