/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: four bytes of bits are repeated over a register, compared bit by bit, and turn the
 * activations that they do not stand for; sums of 32 columns are scaled as the activations are, and these as the block is.
 */
#include "micro/families/blocks/rows_reference.h"

/** The activations, each with the sign of its bit, summed by fours. */
ROWS_INLINE __m256 signed_sums(const uint8_t *bits, const int8_t *a)
{
    const __m256i bytes = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202,
                                             0x0303030303030303); /* which has a column's bit */
    const __m256i single = _mm256_set1_epi64x((int64_t)UINT64_C(0x8040201008040201));
    int32_t word;
    memcpy(&word, bits, sizeof word);
    __m256i set = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(word), bytes), single);
    __m256i turned = _mm256_cmpeq_epi8(set, _mm256_setzero_si256());
    __m256i terms = _mm256_sub_epi8(_mm256_xor_si256(block_load(a), turned), turned);
    return _mm256_cvtepi32_ps(block_widen(_mm256_maddubs_epi16(_mm256_set1_epi8(1), terms)));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct reference_operand *a)
{
    __m256 whole = _mm256_setzero_ps();
#pragma GCC unroll 4
    for (int i = 0; i < BLOCK_COLUMNS / 32; i++) {
        __m256 scale = _mm256_set1_ps(a->part[i].scale), sums = signed_sums(weights + 2 + 4 * i, a->part[i].q);
        whole = i ? _mm256_fmadd_ps(sums, scale, whole) : _mm256_mul_ps(sums, scale);
    }
    return _mm256_fmadd_ps(whole, block_scale(weights), sum);
}

#include "micro/families/blocks/block_rows.h"

const struct kernel SELF = REFERENCE_KERNEL(NULL);

#include "micro/frames/gamma.h"
