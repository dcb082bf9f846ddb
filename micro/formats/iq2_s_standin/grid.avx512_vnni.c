/* SPDX-License-Identifier: BSD-3-Clause
 *
 * As grid.c with 512 bits. The numbers of all 32 vectors of a block are made at once; 64 bits of signs are a mask. What is short are the loads of vector
 * registers, two a cycle on Zen 5: 32 of a block are the look-ups. Numbers stored as a register and loaded one by one take 6.2 cycles per output vector
 * there, of 3.4 this way: such a load waits until the store has left its queue.
 */
#include "micro/families/blocks/blocks_avx512.h"
#include "micro/formats/iq2_s_standin/rows.h"

#define BLOCK_FLOATS "micro/families/blocks/blocks_avx512.h"

/** The numbers of the vectors of a block. */
ROWS_INLINE __m512i numbers(const uint8_t *weights)
{
    const __m512i four =
        _mm512_set_epi64((int64_t)0x8007800780078007, (int64_t)0x8006800680068006, (int64_t)0x8005800580058005,
                         (int64_t)0x8004800480048004, (int64_t)0x8003800380038003, (int64_t)0x8002800280028002,
                         (int64_t)0x8001800180018001, (int64_t)0x8000800080008000);
    const __m512i shift = _mm512_set1_epi64(0x0002000400060008);
    int64_t bits;
    memcpy(&bits, weights + BLOCK_UPPER, sizeof bits);
    __m512i lower = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(weights + BLOCK_INDICES)));
    __m512i upper = _mm512_sllv_epi16(_mm512_shuffle_epi8(_mm512_set1_epi64(bits), four), shift);
    return _mm512_ternarylogic_epi64(lower, upper, _mm512_set1_epi16(0x300), 0xf8); /* lower | (upper & 0x300) */
}

/** Magnitudes of 64 columns, of the numbers of eight vectors. */
ROWS_INLINE __m512i magnitudes(__m128i number)
{
    __m256i low = four_vectors((uint64_t)_mm_cvtsi128_si64(number));
    __m256i high = four_vectors((uint64_t)_mm_extract_epi64(number, 1));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/** 64 activations with the signs of the weights. */
ROWS_INLINE __m512i with_signs(const uint8_t *weights, int i, const int8_t *a)
{
    uint64_t negative;
    memcpy(&negative, weights + BLOCK_SIGNS + 8 * i, sizeof negative);
    __m512i q = _mm512_loadu_si512(a + 64 * i);
    return _mm512_mask_sub_epi8(q, negative, _mm512_setzero_si512(), q);
}

/** Words: twice the scale and 1, of 16 columns in each quarter. */
ROWS_INLINE __m512i spread(__m512i scales, int i)
{
    const __m512i quarter =
        _mm512_set_epi64((int64_t)0x8003800380038003, (int64_t)0x8003800380038003, (int64_t)0x8002800280028002,
                         (int64_t)0x8002800280028002, (int64_t)0x8001800180018001, (int64_t)0x8001800180018001,
                         (int64_t)0x8000800080008000, (int64_t)0x8000800080008000);
    return _mm512_shuffle_epi8(scales, _mm512_add_epi16(quarter, _mm512_set1_epi16((int16_t)(4 * i))));
}

/** Columns 64 i … of a block onto its sums. */
ROWS_INLINE __m512i add_columns(__m512i whole, __m128i number, const uint8_t *weights, __m512i scales, int i,
                                const int8_t *a)
{
    __m512i words = _mm512_maddubs_epi16(magnitudes(number), with_signs(weights, i, a));
    return _mm512_dpwssd_epi32(whole, words, spread(scales, i));
}

ROWS_INLINE __m512 add_block(__m512 sum, const uint8_t *weights, const struct q8_256 *a)
{
    __m512i number = numbers(weights);
    __m512i scales = _mm512_broadcast_i32x4(group_scales(weights));
    __m512i whole = _mm512_setzero_si512();
    whole = add_columns(whole, _mm512_castsi512_si128(number), weights, scales, 0, a->q);
    whole = add_columns(whole, _mm512_extracti32x4_epi32(number, 1), weights, scales, 1, a->q);
    whole = add_columns(whole, _mm512_extracti32x4_epi32(number, 2), weights, scales, 2, a->q);
    whole = add_columns(whole, _mm512_extracti32x4_epi32(number, 3), weights, scales, 3, a->q);
    int16_t d;
    memcpy(&d, weights, sizeof d);
    __m512 scale = _mm512_mul_ps(_mm512_cvtph_ps(_mm256_set1_epi16(d)), _mm512_set1_ps(a->scale * 0.125f));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), scale, sum);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/iq2_s_standin/kernel.h"

const struct kernel SELF = IQ2_S_KERNEL(2048);

/* its gamma */

/**
 * No constant lies in the first registers: where gcc has no other for what it looks up, it takes one of those above 15, which it knows no vmovhpd of, and a
 * vmovsd and a vunpcklpd stand for that.
 */
ROWS_INLINE __m512 add_to_first(__m512 sum, const uint8_t *weights, const struct q8_256 *a)
{
    __asm__ volatile("" ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4");
    return add_block(sum, weights, a);
}

#define step_add add_to_first
#include "micro/frames/gamma.h"
