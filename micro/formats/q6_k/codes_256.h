/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of q6_k in registers of 256 bits, of rows as they lie and interleaved.
 */
#ifndef MICRO_FORMATS_Q6_K_CODES_256_H
#define MICRO_FORMATS_Q6_K_CODES_256_H

#include <immintrin.h>

#include "micro/frames/rows.h"

/** Codes of columns 32 number …, of `low` bits in the nibble that is theirs and `high` bits in the field that is. */
ROWS_INLINE __m256i q6_k_codes(__m256i low, __m256i high, int number)
{
    int shift = 4 - 2 * (number % 4);
    low = number % 4 < 2 ? low : _mm256_srli_epi16(low, 4);
    high = shift > 0 ? _mm256_slli_epi16(high, shift) : shift < 0 ? _mm256_srli_epi16(high, -shift) : high;
    return _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi8(0x0f)),
                           _mm256_and_si256(high, _mm256_set1_epi8(0x30)));
}

#endif
