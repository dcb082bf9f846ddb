/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the outliers of a panel (micro/quantization/mixed24_outliers_layout.h) add to its 16 rows, with the vectors of the including file.
 *
 * All products are made first, whichever row they are of, since rows have few entries (8 of 4096 columns at 0.2%) and uneven
 * ones: a loop with a number of rounds that nothing foretells, in each row, costs more than its products. Then each row adds up its
 * own, whole vectors with what is not of it masked off. Activations are loaded one by one and put together: on Zen 5 0.64 cycles an
 * entry, where vgatherdps takes 1.26 with 512 bits and 1.56 with 256.
 */
#ifndef MICRO_FAMILIES_MIXED24_MIXED24_OUTLIERS_SUMS_H
#define MICRO_FAMILIES_MIXED24_MIXED24_OUTLIERS_SUMS_H

#include <immintrin.h>

#include "micro/quantization/mixed24_outliers_layout.h"

#define OUTLIERS_INLINE static inline __attribute__((always_inline))

enum {
    OUTLIERS_AT_ONCE = 16,   /* entries: a line of both arrays together */
    OUTLIERS_PRODUCTS = 2048 /* that are kept until rows add them up: 8 KiB */
};

/** Four activations, by four columns. */
OUTLIERS_INLINE __m128 outliers_four(const float *activations, const uint16_t *column)
{
    uint64_t columns;
    memcpy(&columns, column, sizeof columns);
    __m128 four = _mm_load_ss(activations + (columns & 0xffff));
    four = _mm_insert_ps(four, _mm_load_ss(activations + (columns >> 16 & 0xffff)), 0x10);
    four = _mm_insert_ps(four, _mm_load_ss(activations + (columns >> 32 & 0xffff)), 0x20);
    return _mm_insert_ps(four, _mm_load_ss(activations + (columns >> 48)), 0x30);
}

OUTLIERS_INLINE __m256 outliers_eight(const float *activations, const uint16_t *column)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(outliers_four(activations, column)),
                                outliers_four(activations, column + 4), 1);
}

#ifdef __AVX512F__
typedef __m512 outliers_floats;
enum { OUTLIERS_LANES = 16 };

/** The products of 16 entries. */
OUTLIERS_INLINE void outliers_products(const struct mixed24_outliers *outliers, size_t first, const float *activations,
                                       float *products)
{
    const uint16_t *column = outliers->column + first;
    __m512 sixteen = _mm512_insertf32x8(_mm512_castps256_ps512(outliers_eight(activations, column)),
                                        outliers_eight(activations, column + 8), 1);
    __m512 value = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)(outliers->value + first)));
    _mm512_store_ps(products, _mm512_mul_ps(value, sixteen));
}

/**
 * Products first … end - 1 of one row: of two aligned vectors each time what is of it, since a load across them would wait until the
 * stores are in the cache.
 */
OUTLIERS_INLINE __m512 outliers_row(const float *products, size_t first, size_t end)
{
    static const int32_t places[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                       16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    const float *at = products + first / 16 * 16;
    __m512i index = _mm512_loadu_si512(places + first % 16);
    __m512 next = _mm512_load_ps(at + 16), sum;
    size_t count = end - first;
    sum = _mm512_maskz_permutex2var_ps((__mmask16)_bzhi_u32(0xffff, count < 16 ? (uint32_t)count : 16),
                                       _mm512_load_ps(at), index, next);
    for (size_t i = 16; i < count; i += 16) {
        size_t left = count - i;
        __m512 here = next;
        next = _mm512_load_ps(at + i + 16);
        sum = _mm512_add_ps(sum, _mm512_maskz_permutex2var_ps(
                                     (__mmask16)_bzhi_u32(0xffff, left < 16 ? (uint32_t)left : 16), here, index, next));
    }
    return sum;
}

/** Pairs of lanes of a and of b by turns: from two registers one. */
OUTLIERS_INLINE __m512 outliers_fold(__m512 a, __m512 b)
{
    return _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
}

OUTLIERS_INLINE __m512 outliers_fold_pairs(__m512 a, __m512 b)
{
    __m512d x = _mm512_castps_pd(a), y = _mm512_castps_pd(b);
    return _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(x, y)), _mm512_castpd_ps(_mm512_unpackhi_pd(x, y)));
}

/** Of each row the sum of its lanes, added to out[16]. */
OUTLIERS_INLINE void outliers_reduce(const __m512 *rows, float *out)
{
    __m512 quarters[4]; /* [g]: of rows 4 g …, a row a lane, in each quarter a fourth of it */
    for (size_t g = 0; g < 4; g++)
        quarters[g] = outliers_fold_pairs(outliers_fold(rows[4 * g], rows[4 * g + 1]),
                                          outliers_fold(rows[4 * g + 2], rows[4 * g + 3]));
    __m512 low = _mm512_add_ps(_mm512_shuffle_f32x4(quarters[0], quarters[1], 0x88),
                               _mm512_shuffle_f32x4(quarters[0], quarters[1], 0xdd));
    __m512 high = _mm512_add_ps(_mm512_shuffle_f32x4(quarters[2], quarters[3], 0x88),
                                _mm512_shuffle_f32x4(quarters[2], quarters[3], 0xdd));
    __m512 sums = _mm512_add_ps(_mm512_shuffle_f32x4(low, high, 0x88), _mm512_shuffle_f32x4(low, high, 0xdd));
    _mm512_storeu_ps(out, _mm512_add_ps(sums, _mm512_loadu_ps(out)));
}
#else
typedef __m256 outliers_floats;
enum { OUTLIERS_LANES = 8 };

/** The products of 16 entries. */
OUTLIERS_INLINE void outliers_products(const struct mixed24_outliers *outliers, size_t first, const float *activations,
                                       float *products)
{
    for (size_t i = 0; i < 16; i += 8) {
        const uint16_t *value = outliers->value + first + i;
        __m256 eight = outliers_eight(activations, outliers->column + first + i);
        _mm256_store_ps(products + i,
                        _mm256_mul_ps(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)value)), eight));
    }
}

/** n lanes, 8 if it is more. */
OUTLIERS_INLINE __m256 outliers_load(const float *products, size_t n)
{
    __m256i mask =
        _mm256_cmpgt_epi32(_mm256_set1_epi32(n < 8 ? (int32_t)n : 8), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_maskload_ps(products, mask);
}

/** Products first … end - 1. Two vectors hold what most rows have, so the number of rounds is mostly foreseen. */
OUTLIERS_INLINE __m256 outliers_row(const float *products, size_t first, size_t end)
{
    size_t count = end - first;
    products += first;
    __m256 sum = _mm256_add_ps(outliers_load(products, count), outliers_load(products + 8, count > 8 ? count - 8 : 0));
    for (size_t i = 16; i < count; i += 8)
        sum = _mm256_add_ps(sum, outliers_load(products + i, count - i));
    return sum;
}

/** Of each row the sum of its lanes, added to out[16]. */
OUTLIERS_INLINE void outliers_reduce(const __m256 *rows, float *out)
{
    for (size_t row = 0; row < MIXED24_ROWS; row += 8) {
        const __m256 *r = rows + row;
        __m256 low = _mm256_hadd_ps(_mm256_hadd_ps(r[0], r[1]), _mm256_hadd_ps(r[2], r[3]));
        __m256 high = _mm256_hadd_ps(_mm256_hadd_ps(r[4], r[5]), _mm256_hadd_ps(r[6], r[7]));
        __m256 sums = _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31));
        _mm256_storeu_ps(out + row, _mm256_add_ps(sums, _mm256_loadu_ps(out + row)));
    }
}
#endif

OUTLIERS_INLINE size_t outliers_within(size_t entry, size_t first, size_t count)
{
    return entry < first ? 0 : entry - first < count ? entry - first : count;
}

/**
 * Adds the outliers of a panel to its rows.
 *
 * @param activations  [k], as the panel's columns lie
 * @param ahead        what to fetch meanwhile, a line for each line of the outliers; need not be memory
 * @param out          [16]
 */
static inline void outliers_add_to_rows(const struct mixed24_outliers *outliers, const float *activations,
                                        uintptr_t ahead, float *out)
{
    _Alignas(64) float products[OUTLIERS_PRODUCTS + 2 * OUTLIERS_AT_ONCE];
    const size_t count = (outliers->end[MIXED24_ROWS - 1] + OUTLIERS_AT_ONCE - 1) / OUTLIERS_AT_ONCE * OUTLIERS_AT_ONCE;
    for (size_t first = 0; first < count; first += OUTLIERS_PRODUCTS) {
        size_t some = count - first < OUTLIERS_PRODUCTS ? count - first : OUTLIERS_PRODUCTS, from = 0;
        outliers_floats rows[MIXED24_ROWS];
        for (size_t i = 0; i < some; i += OUTLIERS_AT_ONCE) {
            _mm_prefetch((const char *)(ahead + 4 * (first + i)), _MM_HINT_T0);
            outliers_products(outliers, first + i, activations, products + i);
        }
        for (size_t row = 0; row < MIXED24_ROWS; row++) {
            size_t to = outliers_within(outliers->end[row], first, some);
            rows[row] = outliers_row(products, from, to);
            from = to;
        }
        outliers_reduce(rows, out);
    }
}

#endif
