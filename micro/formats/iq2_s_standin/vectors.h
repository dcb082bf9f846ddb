/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vectors of the grid of iq2_s_standin and scales of a block, for kernels of x86-64.
 */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_VECTORS_H
#define MICRO_FORMATS_IQ2_S_STANDIN_VECTORS_H

#include <immintrin.h>

#include "micro/formats/iq2_s_standin/grid.h"
#include "micro/frames/rows.h"

/** Of each 16 columns twice the scale and 1, a byte. */
ROWS_INLINE __m128i group_scales(const uint8_t *weights)
{
    const __m128i nibble = _mm_set1_epi8(15);
    __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)(weights + BLOCK_SCALES));
    __m128i both = _mm_unpacklo_epi8(_mm_and_si128(bytes, nibble), _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble));
    return _mm_add_epi8(_mm_add_epi8(both, both), _mm_set1_epi8(1));
}

/** The vectors of four 16-bit numbers. */
ROWS_INLINE __m256i four_vectors(uint64_t numbers)
{
    const uint64_t *second = &iq2_s_grid[(uint16_t)(numbers >> 16)], *fourth = &iq2_s_grid[numbers >> 48];
    __m128d low = _mm_load_sd((const double *)(const void *)&iq2_s_grid[(uint16_t)numbers]);
    __m128d high = _mm_load_sd((const double *)(const void *)&iq2_s_grid[(uint16_t)(numbers >> 32)]);
    low = _mm_loadh_pd(low, (const double *)(const void *)second);
    high = _mm_loadh_pd(high, (const double *)(const void *)fourth);
    return _mm256_setr_m128i(_mm_castpd_si128(low), _mm_castpd_si128(high));
}

#endif
