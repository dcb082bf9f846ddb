/* SPDX-License-Identifier: BSD-3-Clause
 *
 * As grid.avx2.c with 512 bits. The numbers of all 32 vectors of a block are made at once and stored, so that each is one load of 16 bits
 * before the load of its vector; 64 bits of signs are a mask.
 */
#include "micro/kernels/blocks_avx512.h"
#include "micro/kernels/iq2_s_standin/rows.h"

#define BLOCK_FLOATS "micro/kernels/blocks_avx512.h"

/** The numbers of the vectors of a block. */
ROWS_INLINE __m512i numbers(const uint8_t *weights)
{
    const __m512i four =
        _mm512_set_epi64((int64_t)0x8007800780078007, (int64_t)0x8006800680068006, (int64_t)0x8005800580058005,
                         (int64_t)0x8004800480048004, (int64_t)0x8003800380038003, (int64_t)0x8002800280028002,
                         (int64_t)0x8001800180018001, (int64_t)0x8000800080008000);
    const __m512i shift = _mm512_set1_epi64(0x0002000400060008);
    int64_t bits;
    memcpy(&bits, weights + UPPER, sizeof bits);
    __m512i lower = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(weights + INDICES)));
    __m512i upper = _mm512_sllv_epi16(_mm512_shuffle_epi8(_mm512_set1_epi64(bits), four), shift);
    return _mm512_ternarylogic_epi64(lower, upper, _mm512_set1_epi16(0x300), 0xf8); /* lower | (upper & 0x300) */
}

ROWS_INLINE __m128i two_vectors(const uint16_t *number)
{
    __m128d first = _mm_load_sd((const double *)(const void *)&iq2_s_grid[number[0]]);
    return _mm_castpd_si128(_mm_loadh_pd(first, (const double *)(const void *)&iq2_s_grid[number[1]]));
}

/** Magnitudes of 64 columns. */
ROWS_INLINE __m512i magnitudes(const uint16_t *number)
{
    __m256i low = _mm256_setr_m128i(two_vectors(number), two_vectors(number + 2));
    __m256i high = _mm256_setr_m128i(two_vectors(number + 4), two_vectors(number + 6));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/** 64 activations with the signs of the weights. */
ROWS_INLINE __m512i with_signs(const uint8_t *weights, int i, const int8_t *a)
{
    uint64_t negative;
    memcpy(&negative, weights + SIGNS + 8 * i, sizeof negative);
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

ROWS_INLINE __m512 add_block(__m512 sum, const uint8_t *weights, const struct q8_256 *a)
{
    _Alignas(64) uint16_t number[32];
    _mm512_store_si512(number, numbers(weights));
    __asm__("" : "+m"(number)); /* to be loaded again, not taken out of the register */
    __m512i scales = _mm512_broadcast_i32x4(group_scales(weights));
    __m512i whole = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        __m512i words = _mm512_maddubs_epi16(magnitudes(number + 8 * i), with_signs(weights, i, a->q));
        whole = _mm512_dpwssd_epi32(whole, words, spread(scales, i));
    }
    int16_t d;
    memcpy(&d, weights, sizeof d);
    __m512 scale = _mm512_mul_ps(_mm512_cvtph_ps(_mm256_set1_epi16(d)), _mm512_set1_ps(a->scale * 0.125f));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), scale, sum);
}

#include "micro/kernels/block_rows.h"

const struct kernel SELF = IQ2_S_KERNEL(256);
