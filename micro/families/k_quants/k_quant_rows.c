/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of Q4_K and Q5_K, a block of one row at a time with 256 bits, four rows side by side, with a prefetch: a register holds the codes of one
 * group in its low nibbles and those of the next in its high ones. AVX2: a group's 16-bit products (2 * 31 * 127 at most) meet its scale, spread
 * over words, as vpmaddwd widens them, as in reference.avx2. AVX-VNNI: sums of four products of both groups are packed to words, so that one
 * vpdpwssd scales both. The minima meet the sums of 32 activations.
 */
#include "micro/families/blocks/blocks_avx2.h"

/** 256 columns of the activations. */
struct k_quant_operand {
    struct q8_256 q8;
    int16_t sums[8]; /* of 32 columns */
    float scale[4];  /* the scale, its negative, and zeros */
    int32_t unused[8];
};

#define BLOCK_ACTIVATIONS struct k_quant_operand
#define BLOCK_VALUE(blocks, column)                                                                                    \
    q8_256_value(&((const struct k_quant_operand *)(const void *)(blocks))[(column) / 256].q8, (column) % 256)
#define BLOCKS_TOGETHER 1
#define ROW_BY_ROW      0

/** Bytes: scales of groups 0 … 7, then their minima. */
ROWS_INLINE __m128i group_bytes(__m128i head)
{
    __m128i lower = _mm_srlv_epi32(_mm_shuffle_epi32(head, _MM_SHUFFLE(3, 2, 3, 1)), _mm_setr_epi32(0, 0, 0, 4));
    __m128i upper = _mm_srli_epi32(_mm_shuffle_epi32(head, _MM_SHUFFLE(2, 2, 1, 1)), 2);
    lower = _mm_and_si128(lower, _mm_setr_epi32(0x3f3f3f3f, 0x0f0f0f0f, 0x3f3f3f3f, 0x0f0f0f0f));
    return _mm_or_si128(lower, _mm_and_si128(upper, _mm_setr_epi32(0, 0x30303030, 0, 0x30303030)));
}

#if K_QUANT_BITS == 5
/** Codes of a group with their fifth bits. */
ROWS_INLINE __m256i with_fifth(__m256i codes, __m256i high, int group)
{
    __m256i bits = group < 4 ? _mm256_slli_epi16(high, 4 - group) : _mm256_srli_epi16(high, group - 4);
    return _mm256_or_si256(codes, _mm256_and_si256(bits, _mm256_set1_epi8(0x10)));
}
#endif

#ifdef __AVXVNNI__
/** Words: the scale of group `group` in the first half of each 128 bits, of the next in the second. */
ROWS_INLINE __m256i spread(__m256i scales, int group)
{
    const __m128i both = _mm_setr_epi16((int16_t)0x8000, (int16_t)0x8000, (int16_t)0x8000, (int16_t)0x8000,
                                        (int16_t)0x8001, (int16_t)0x8001, (int16_t)0x8001, (int16_t)0x8001);
    __m256i at = _mm256_broadcastsi128_si256(_mm_add_epi8(both, _mm_set1_epi16((int16_t)group)));
    return _mm256_shuffle_epi8(scales, at);
}

ROWS_INLINE __m256i add_groups(__m256i sum, __m256i low, __m256i high, __m256i scales, int group, const int8_t *a)
{
    low = _mm256_dpbusd_avx_epi32(_mm256_setzero_si256(), low, block_load(a + 32 * group));
    high = _mm256_dpbusd_avx_epi32(_mm256_setzero_si256(), high, block_load(a + 32 * group + 32));
    return _mm256_dpwssd_avx_epi32(sum, _mm256_packs_epi32(low, high), spread(scales, group));
}
#else
/** Words: the scale of a group. */
ROWS_INLINE __m256i spread(__m256i scales, int group)
{
    return _mm256_shuffle_epi8(scales, _mm256_set1_epi16((int16_t)(0x8000 | group)));
}

ROWS_INLINE __m256i add_groups(__m256i sum, __m256i low, __m256i high, __m256i scales, int group, const int8_t *a)
{
    low = _mm256_madd_epi16(_mm256_maddubs_epi16(low, block_load(a + 32 * group)), spread(scales, group));
    high = _mm256_madd_epi16(_mm256_maddubs_epi16(high, block_load(a + 32 * group + 32)), spread(scales, group + 1));
    return _mm256_add_epi32(sum, _mm256_add_epi32(low, high));
}
#endif

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct k_quant_operand *a)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    __m128i head = block_load_half(weights), bytes = group_bytes(head);
    __m256i scales = _mm256_broadcastsi128_si256(bytes), whole = _mm256_setzero_si256();
    __m128i minima =
        _mm_madd_epi16(_mm_unpackhi_epi8(bytes, _mm_setzero_si128()), _mm_load_si128((const void *)a->sums));
#if K_QUANT_BITS == 5
    __m256i fifths = block_load(weights + BLOCK_HIGH);
#endif
#pragma GCC unroll 4
    for (int group = 0; group < 8; group += 2) {
        __m256i codes = block_load(weights + BLOCK_CODES + 16 * group);
        ROWS_IN_REGISTER(codes);
        __m256i low = _mm256_and_si256(codes, nibble), high = _mm256_and_si256(_mm256_srli_epi16(codes, 4), nibble);
#if K_QUANT_BITS == 5
        low = with_fifth(low, fifths, group);
        high = with_fifth(high, fifths, group + 1);
#endif
        whole = add_groups(whole, low, high, scales, group, a->q8.q);
    }
    __m128 of_block = _mm_mul_ps(_mm_cvtph_ps(head), _mm_load_ps(a->scale));
    __m256 step = _mm256_broadcastss_ps(of_block), minimum = _mm256_broadcastss_ps(_mm_movehdup_ps(of_block));
    sum = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), step, sum);
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_zextsi128_si256(minima)), minimum, sum);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct k_quant_operand *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        memset(to, 0, sizeof *to);
        q8_256_make((const float *)activations + 256 * i, 256, &to->q8);
        for (size_t group = 0; group < 8; group++)
            to->sums[group] = (int16_t)(to->q8.sums[2 * group] + to->q8.sums[2 * group + 1]);
        to->scale[0] = to->q8.scale;
        to->scale[1] = -to->q8.scale;
    }
}

#define K_QUANT_ACTIVATION BLOCK_VALUE
#include "micro/families/k_quants/k_quant_row.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct k_quant_operand),
    .prepare = prepare,
    .row = minima_row,
};

#include "micro/frames/gamma.h"
