/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row: mask and shift the upper bits of each field onto its lower ones, spread the scales of its
 * two groups as bytes and widen them, and let vpmaddwd apply them as it widens the products; the offset of the codes meets the sums of
 * the activations.
 */
#define SELF_DIFFERS  "5% more time than its original from a cache; from memory as long"
#define KERNEL_ORIGIN "llama.cpp"

#include "micro/families/blocks/blocks_avx2.h"
#include "micro/formats/q6_k/operand.h"

#define BLOCK_ACTIVATIONS struct q6_k_operand
#define BLOCK_VALUE       q6_k_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        1

/** 32 columns, of upper bits that are in place, times the scales of their groups. */
ROWS_INLINE __m256i field(__m256i low, __m256i high, __m128i scales, int number, const int8_t *a)
{
    const __m128i groups = _mm_set_epi64x(0x0101010101010101, 0);
    __m256i codes = _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi8(15)), high);
    __m256i words = _mm256_maddubs_epi16(codes, block_load(a + 32 * number));
    __m128i spread = _mm_shuffle_epi8(scales, _mm_add_epi8(groups, _mm_set1_epi8((char)(2 * number))));
    return _mm256_madd_epi16(_mm256_cvtepi8_epi16(spread), words);
}

ROWS_INLINE __m256i upper(__m256i high, int bits)
{
    return _mm256_and_si256(high, _mm256_set1_epi8((char)bits));
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct q6_k_operand *a)
{
    __m128i scales = block_load_half(weights + BLOCK_SCALES);
    __m256i offset = _mm256_madd_epi16(block_load(a->q8.sums), _mm256_cvtepi8_epi16(scales));
    __m256i whole = _mm256_setzero_si256();
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        __m256i first = block_load(weights + 64 * half), second = block_load(weights + 64 * half + 32);
        __m256i high = block_load(weights + BLOCK_HIGH + 32 * half);
        const int number = 4 * half;
        __m256i one = field(first, _mm256_slli_epi16(upper(high, 3), 4), scales, number, a->q8.q);
        __m256i two = field(second, _mm256_slli_epi16(upper(high, 12), 2), scales, number + 1, a->q8.q);
        __m256i three = field(_mm256_srli_epi16(first, 4), upper(high, 48), scales, number + 2, a->q8.q);
        __m256i four =
            field(_mm256_srli_epi16(second, 4), _mm256_srli_epi16(upper(high, 192), 2), scales, number + 3, a->q8.q);
        whole = _mm256_add_epi32(whole, _mm256_add_epi32(one, two));
        whole = _mm256_add_epi32(whole, _mm256_add_epi32(three, four));
    }
    whole = _mm256_sub_epi32(whole, _mm256_slli_epi32(offset, 5));
    __m256 scale = _mm256_mul_ps(block_scale(weights + BLOCK_D), _mm256_set1_ps(a->q8.scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q6_k_prepare(activations, k, prepared);
}

const struct kernel SELF = Q6_K_ROWS_KERNEL(0);

#include "micro/frames/gamma.h"
