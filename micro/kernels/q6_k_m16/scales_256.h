/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What lanes.h wants of 256-bit registers beside k_quant_lanes_256.h, which is included before this.
 */
#ifndef MICRO_KERNELS_Q6_K_M16_SCALES_256_H
#define MICRO_KERNELS_Q6_K_M16_SCALES_256_H

#ifdef __AVXVNNI__
#define SUM_LINES   2
#define SCALE_LANES _mm_setr_epi32(0, 0x0400, 0x0800, 0x0c00)
#define SCALE_AT    0x80800080u

ROWS_INLINE lanes_ints add_words(lanes_ints total, lanes_ints sums, lanes_ints words)
{
    return _mm256_dpwssd_avx_epi32(total, sums, words);
}
#else
#define SUM_LINES   4
#define SCALE_LANES _mm_setr_epi32(0, 0x04000400, 0x08000800, 0x0c000c00)
#define SCALE_AT    0x00800080u

ROWS_INLINE lanes_ints add_words(lanes_ints total, lanes_ints sums, lanes_ints words)
{
    return _mm256_add_epi32(total, _mm256_madd_epi16(sums, words));
}
#endif

ROWS_INLINE lanes_ints scale_words(lanes_ints bytes, int byte)
{
    const uint32_t both = SUM_LINES == 2 ? 0x0100u : 0x01000100u;
    __m256i at = _mm256_set1_epi32((int32_t)(SCALE_AT + both * (uint32_t)byte));
    at = _mm256_add_epi8(_mm256_broadcastsi128_si256(SCALE_LANES), at);
    return _mm256_srai_epi16(_mm256_shuffle_epi8(bytes, at), 8);
}

#endif
