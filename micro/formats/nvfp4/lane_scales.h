/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scales of nvfp4 of as many rows as lanes, which are neighbours.
 */
#include <immintrin.h>

#include "micro/frames/rows.h"

#define GEMM_SCALE_BYTES 1
#define GEMM_GROUPS      4
#define GEMM_LINES       2
#define GEMM_FLOAT_SUMS  16

#ifdef __AVX512F__
/** 256 times too small: nvfp4/block.h. */
ROWS_INLINE __m512 nvfp4_lane_scales(const uint8_t *bytes)
{
    __m256i words = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)bytes));
    return _mm512_cvtph_ps(_mm256_and_si256(_mm256_slli_epi16(words, 7), _mm256_set1_epi16(0x3f80)));
}

/** Halved, as values are doubled. */
ROWS_INLINE __m512 gemm_scale(const uint8_t *bytes)
{
    return _mm512_mul_ps(nvfp4_lane_scales(bytes), _mm512_set1_ps(128));
}
#else
/** 256 times too small: nvfp4/block.h. */
ROWS_INLINE __m256 nvfp4_lane_scales(const uint8_t *bytes)
{
    __m128i words = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)bytes));
    return _mm256_cvtph_ps(_mm_and_si128(_mm_slli_epi16(words, 7), _mm_set1_epi16(0x3f80)));
}

/** Halved, as values are doubled. */
ROWS_INLINE __m256 gemm_scale(const uint8_t *bytes)
{
    return _mm256_mul_ps(nvfp4_lane_scales(bytes), _mm256_set1_ps(128));
}
#endif
