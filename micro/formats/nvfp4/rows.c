/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of nvfp4, four rows side by side with 256 bits: 16 bytes of codes are repeated and one shift by 0 and 4 bits parts them, two groups to a
 * register; two lanes of each half of it are a group's. Twice the values are looked up, for VNNI 12 more; else their signs go to the activations.
 * Four scales become binary16 numbers in one vpshufb, a shift and an AND.
 */
#include "micro/formats/mxfp4/codes.h"

#define NVFP4_REGISTER 32
#include "micro/formats/nvfp4/operand.h"

#define BLOCKS_TOGETHER 2
#include "micro/families/blocks/blocks_avx2.h"

/** Scales of groups 0 and 1 in the lower half, 2 and 3 in the upper one, each in the lanes that the group has, 256 times too small. */
ROWS_INLINE __m256i scales_of(const uint8_t *weights)
{
    const __m256i lanes = _mm256_setr_epi8(-1, 0, -1, 0, -1, 1, -1, 1, -1, 0, -1, 0, -1, 1, -1, 1, /* in upper bytes */
                                           -1, 2, -1, 2, -1, 3, -1, 3, -1, 2, -1, 2, -1, 3, -1, 3);
    int32_t four;
    memcpy(&four, weights, sizeof four);
    __m256i words = _mm256_shuffle_epi8(_mm256_set1_epi32(four), lanes);
    return _mm256_and_si256(_mm256_srli_epi16(words, 1), _mm256_set1_epi16(0x3f80));
}

/** Two groups. */
ROWS_INLINE __m256 half_sums(const uint8_t *codes, const struct nvfp4_operand *a, int half)
{
    __m256i nibbles = _mm256_broadcastsi128_si256(block_load_half(codes + 16 * half));
    __m256i values = nibble_codes(_mm256_srlv_epi32(nibbles, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4)));
    __m256i start = block_load(a->start + 8 * half);
    __m256i sums = products_add(products_begin(start), values, block_load(a->q + 32 * half));
    return _mm256_cvtepi32_ps(products_end(sums, start));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct nvfp4_operand *a)
{
    __m256i scales = scales_of(weights);
    __m256 first = _mm256_cvtph_ps(_mm256_castsi256_si128(scales));
    __m256 second = _mm256_cvtph_ps(_mm256_extracti128_si256(scales, 1));
    __m256 whole = _mm256_mul_ps(half_sums(weights + BLOCK_CODES, a, 0), first);
    whole = _mm256_fmadd_ps(half_sums(weights + BLOCK_CODES, a, 1), second, whole);
    return _mm256_fmadd_ps(whole, _mm256_set1_ps(a->scale), sum);
}

#include "micro/families/blocks/block_rows.h"

const struct kernel SELF = NVFP4_KERNEL;

#include "micro/frames/gamma.h"
