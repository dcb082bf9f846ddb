/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Digits of bytes of ptq1_0, 256 bits: times 9 as words, a byte has two digits (0 … 8) in the upper byte and the remainder for the next two in the
 * lower one; a shuffle parts a pair, and the fifth digit is the upper byte of 3 times what then remains.
 */
#ifndef MICRO_FORMATS_PTQ1_0_DIGITS_256_H
#define MICRO_FORMATS_PTQ1_0_DIGITS_256_H

#include <immintrin.h>

#include "micro/frames/rows.h"

/** Even and odd bytes, in the lower and the upper byte of words, times a factor. */
ROWS_INLINE __m256i digits_times(__m256i bytes, int factor)
{
    return _mm256_maddubs_epi16(bytes, _mm256_set1_epi16((int16_t)factor));
}

/** The upper bytes of the words of even bytes and of odd ones, each in its place. */
ROWS_INLINE __m256i digits_join(__m256i even, __m256i odd)
{
    return _mm256_or_si256(_mm256_srli_epi16(even, 8), _mm256_and_si256(odd, _mm256_set1_epi16((int16_t)0xff00)));
}

ROWS_INLINE void digits_part(__m256i pairs, __m256i *digit)
{
    const __m256i first = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0));
    const __m256i second = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0));
    digit[0] = _mm256_shuffle_epi8(first, pairs);
    digit[1] = _mm256_shuffle_epi8(second, pairs);
}

/** The first two, or all five. */
ROWS_INLINE void digits_of(__m256i bytes, int count, __m256i *digit)
{
    __m256i even = digits_times(bytes, 9), odd = digits_times(bytes, 9 << 8);
    digits_part(digits_join(even, odd), digit);
    if (count == 2)
        return;
    even = digits_times(even, 9), odd = digits_times(odd, 9);
    digits_part(digits_join(even, odd), digit + 2);
    digit[4] = digits_join(digits_times(even, 3), digits_times(odd, 3));
}

/** Lanes of two bytes that have four digits, and 9 times them, less what overflows. */
ROWS_INLINE __m256i digits_last(__m256i words)
{
    __m256i three = _mm256_add_epi8(words, _mm256_add_epi8(words, words));
    return _mm256_or_si256(words, _mm256_slli_epi32(_mm256_add_epi8(three, _mm256_add_epi8(three, three)), 16));
}

#endif
