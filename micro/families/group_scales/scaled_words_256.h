/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words of products times scales of their groups, added up in pairs.
 */
#ifndef MICRO_FAMILIES_GROUP_SCALES_SCALED_WORDS_256_H
#define MICRO_FAMILIES_GROUP_SCALES_SCALED_WORDS_256_H

#include <immintrin.h>

#include "micro/frames/rows.h"

ROWS_INLINE __m256i scaled_words(__m256i sum, __m256i words, __m256i scales)
{
#ifdef __AVXVNNI__
    return _mm256_dpwssd_avx_epi32(sum, words, scales);
#else
    return _mm256_add_epi32(sum, _mm256_madd_epi16(words, scales));
#endif
}

#endif
