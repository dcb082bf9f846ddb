/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What 16 tables say of 16 rows, by vpshufb. T-MAC keeps tables in registers, of which AVX2 has 16; here they are read from the first-level
 * cache for each block of rows.
 */
#ifndef MICRO_FORMATS_TMAC2_TILES_TMAC2_TILES_AVX2_H
#define MICRO_FORMATS_TMAC2_TILES_TMAC2_TILES_AVX2_H

#include "micro/families/lookup/lookup_avx2.h"
#include "micro/families/lookup/lookup_quantized.h"
#include "micro/formats/tmac2_tiles/layout.h"

/* those of a tile */
typedef const uint8_t *tmac2_tables;

LOOKUP tmac2_tables tmac2_tables_of(const uint8_t *tables)
{
    return tables;
}

/** Of 16 rows and 64 columns: first, of eight rows their bits 0, then their bits 1; second, of the eight rows after them. */
LOOKUP struct lookup_words tmac2_block_sums(const uint8_t *weights, tmac2_tables tables)
{
    struct lookup_words sums = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    __asm__ volatile("" : "+r"(tables)); /* or the compiler keeps 16 tables for all blocks, on the stack */
#pragma GCC unroll 16
    for (size_t quad = 0; quad < TMAC2_TILE_QUADS; quad++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(weights + quad * 16));
        __m256i nibbles = lookup_lower(_mm256_set_m128i(_mm_srli_epi16(bytes, 4), bytes));
        __m256i found = _mm256_shuffle_epi8(lookup_table_load(tables + quad * QUANTIZED_TABLE_BYTES), nibbles);
        sums.first = _mm256_add_epi16(sums.first, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(found)));
        sums.second = _mm256_add_epi16(sums.second, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(found, 1)));
        __asm__("" : "+x"(sums.first), "+x"(sums.second)); /* or it adds up what it has no registers for */
    }
    return sums;
}

/** They are added to sums[32]: of each eight rows eight of bit 0 and eight of bit 1. */
LOOKUP void tmac2_widen(int32_t *sums, struct lookup_words found)
{
    lookup_widen_ordered(sums, found);
}

LOOKUP __m256 tmac2_floats_of(__m128i words)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(words));
}

LOOKUP void tmac2_add_floats(float *sums, __m256 found, const float *scales)
{
    _mm256_store_ps(sums, _mm256_fmadd_ps(found, _mm256_loadu_ps(scales), _mm256_load_ps(sums)));
}

/** The same scaled, those of bit 0 with `bias`: once for all, and by scales[16] for each row. */
LOOKUP void tmac2_add_scaled(float *sums, struct lookup_words found, float by, float bias, const float *scales)
{
    __m256 scale = _mm256_set1_ps(by), minus = _mm256_set1_ps(bias);
    __m256 lower = tmac2_floats_of(_mm256_castsi256_si128(found.first));
    tmac2_add_floats(sums, _mm256_fmadd_ps(lower, scale, minus), scales);
    __m256 upper = tmac2_floats_of(_mm256_extracti128_si256(found.first, 1));
    tmac2_add_floats(sums + 8, _mm256_mul_ps(upper, scale), scales);
    lower = tmac2_floats_of(_mm256_castsi256_si128(found.second));
    tmac2_add_floats(sums + 16, _mm256_fmadd_ps(lower, scale, minus), scales + 8);
    upper = tmac2_floats_of(_mm256_extracti128_si256(found.second, 1));
    tmac2_add_floats(sums + 24, _mm256_mul_ps(upper, scale), scales + 8);
}

/** Eight rows of sums[16]. */
LOOKUP void tmac2_join(const float *sums, float *out)
{
    __m256 lower = _mm256_load_ps(sums), upper = _mm256_load_ps(sums + 8);
    _mm256_storeu_ps(out, _mm256_fmadd_ps(lower, _mm256_set1_ps(0.5f), upper));
}

#endif
