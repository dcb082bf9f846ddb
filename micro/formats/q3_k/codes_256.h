/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of q3_k in registers of 256 bits, of rows as they lie and interleaved.
 */
#ifndef MICRO_FORMATS_Q3_K_CODES_256_H
#define MICRO_FORMATS_Q3_K_CODES_256_H

#include <immintrin.h>

#include "micro/frames/rows.h"

/**
 * Codes of columns 32 number …, at bits 2:0 of even fields and 4:2 of odd ones.
 *
 * @param low   lower bits of 128 columns; of fields 2 and 3 of them shifted down by 4
 * @param high  upper bits of the block
 */
ROWS_INLINE __m256i q3_k_codes(__m256i low, __m256i high, int number)
{
    int at = number % 2 ? 4 : 2, shift = at - number;
    high = shift > 0 ? _mm256_slli_epi16(high, shift) : shift < 0 ? _mm256_srli_epi16(high, -shift) : high;
    return _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi8(number % 2 ? 0x0c : 0x03)),
                           _mm256_and_si256(high, _mm256_set1_epi8((char)(1 << at))));
}

#endif
