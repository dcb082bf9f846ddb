/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What look-up kernels of 64 rows share: bytes found to exact sums, and those to 32 bits, 32 rows (a half) at a time.
 */
#ifndef MICRO_FAMILIES_LOOKUP_LOOKUP_AVX2_H
#define MICRO_FAMILIES_LOOKUP_LOOKUP_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKUP static inline __attribute__((always_inline, unused))

LOOKUP __m256i lookup_load(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

/** A table of 16 bytes for both halves of vpshufb. */
LOOKUP __m256i lookup_table_load(const uint8_t *table)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

LOOKUP __m256i lookup_lower(__m256i bytes)
{
    return _mm256_and_si256(bytes, _mm256_set1_epi8(15));
}

LOOKUP __m256i lookup_upper(__m256i bytes)
{
    return lookup_lower(_mm256_srli_epi16(bytes, 4));
}

LOOKUP void lookup_prefetch(const uint8_t *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        _mm_prefetch((const char *)at + i, _MM_HINT_T0);
}

/** Sums of 32 rows as words: unpacked, rows 0-7 and 16-23, 8-15 and 24-31; or in order, rows 0-15, 16-31. */
struct lookup_words {
    __m256i first, second;
};

/** Digits of 32 rows, each sum of digits within int8, to words: sums + base * high + low. */
LOOKUP struct lookup_words lookup_add_digits(struct lookup_words sums, __m256i low, __m256i high, int base)
{
    __m256i weights = _mm256_set1_epi16((int16_t)(1 + base * 256));
    __m256i first = _mm256_maddubs_epi16(weights, _mm256_unpacklo_epi8(low, high));
    __m256i second = _mm256_maddubs_epi16(weights, _mm256_unpackhi_epi8(low, high));
    return (struct lookup_words){_mm256_add_epi16(sums.first, first), _mm256_add_epi16(sums.second, second)};
}

LOOKUP void lookup_widen(int32_t *sums, __m128i words)
{
    __m256i *at = (__m256i *)(void *)sums;
    _mm256_store_si256(at, _mm256_add_epi32(_mm256_load_si256(at), _mm256_cvtepi16_epi32(words)));
}

/** Unpacked words of 32 rows into sums[32]. */
LOOKUP void lookup_widen_unpacked(int32_t *sums, struct lookup_words words)
{
    lookup_widen(sums, _mm256_castsi256_si128(words.first));
    lookup_widen(sums + 8, _mm256_castsi256_si128(words.second));
    lookup_widen(sums + 16, _mm256_extracti128_si256(words.first, 1));
    lookup_widen(sums + 24, _mm256_extracti128_si256(words.second, 1));
}

/** Words of 32 rows in order into sums[32]. */
LOOKUP void lookup_widen_ordered(int32_t *sums, struct lookup_words words)
{
    lookup_widen(sums, _mm256_castsi256_si128(words.first));
    lookup_widen(sums + 8, _mm256_extracti128_si256(words.first, 1));
    lookup_widen(sums + 16, _mm256_castsi256_si128(words.second));
    lookup_widen(sums + 24, _mm256_extracti128_si256(words.second, 1));
}

#endif
