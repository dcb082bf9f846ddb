/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of a panel of group-wise codebooks unpacked to bytes, 8 rows at a time, as in micro/families/codebooks/codebook_lanes.256.inc:
 * for GEMMs, which do it once for many tokens.
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_CODEBOOK_UNPACK_H
#define MICRO_FAMILIES_CODEBOOKS_CODEBOOK_UNPACK_H

#include <immintrin.h>
#include <stdint.h>

#include "micro/families/codebooks/codebook_operand.h"
#include "micro/frames/rows.h"
#include "micro/of_self.h"

static const int8_t codebooks[CB_BOOKS][1 << CB_BITS] = {
#include OF_FORMAT(codebooks.inc)
};

/** Tables of sixteen values each, as the look-ups of 256 bits need them, and a shuffle's argument. */
struct codebook_tables {
    __m256i table[4];
};

static struct codebook_tables codebook_tables(void)
{
    _Alignas(16) int8_t values[64];
    struct codebook_tables tables;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t from = codebook_table_entry(CB_BITS, CB_NUMBER_BITS, false, i);
        values[i] = codebooks[from >> CB_BITS][from & ((1u << CB_BITS) - 1)];
    }
    for (int i = 0; i < 4; i++)
        tables.table[i] = _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)(const void *)(values + 16 * i)));
    return tables;
}

ROWS_INLINE __m256i codebook_load(const uint8_t *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

/** Byte `group` of each row's lane in all of that lane. */
ROWS_INLINE __m256i codebook_spread(__m256i bytes, int group)
{
    const __m256i lane = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
    return _mm256_shuffle_epi8(bytes, _mm256_add_epi8(lane, _mm256_set1_epi8((char)group)));
}

#if CB_NUMBER_BITS == 4
/** The codebooks of eight rows for each of four groups, the values of a row in its lane. */
ROWS_INLINE void codebook_of_rows(__m256i bytes, const struct codebook_tables *tables, __m256i *of_group)
{
    const __m256i by_group =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    __m256i number = _mm256_shuffle_epi8(_mm256_and_si256(bytes, _mm256_set1_epi8(15)), by_group), value[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        value[i] = _mm256_shuffle_epi8(tables->table[i], number);
    __m256i low[2] = {_mm256_unpacklo_epi8(value[0], value[1]), _mm256_unpacklo_epi8(value[2], value[3])};
    __m256i high[2] = {_mm256_unpackhi_epi8(value[0], value[1]), _mm256_unpackhi_epi8(value[2], value[3])};
    of_group[0] = _mm256_unpacklo_epi16(low[0], low[1]);
    of_group[1] = _mm256_unpackhi_epi16(low[0], low[1]);
    of_group[2] = _mm256_unpacklo_epi16(high[0], high[1]);
    of_group[3] = _mm256_unpackhi_epi16(high[0], high[1]);
}
#endif

/** Values of four columns of each of eight rows. `index` has codes at bits 1:0; `upper` the third bit at bit 7. */
ROWS_INLINE __m256i codebook_look_up(const struct codebook_tables *tables, __m256i of_rows, __m256i index,
                                     __m256i upper)
{
#if CB_BITS == 3
    (void)of_rows;
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(tables->table[0], index),
                              _mm256_shuffle_epi8(tables->table[1], index), upper);
#elif CB_NUMBER_BITS == 4
    (void)tables, (void)upper;
    return _mm256_shuffle_epi8(of_rows, index);
#else
    (void)of_rows, (void)upper;
    return _mm256_shuffle_epi8(tables->table[0], index);
#endif
}

/**
 * 16 columns of rows 8 half … of a block: values[p] are columns 4 p … of each row.
 *
 * @return the byte of the group in each byte of its row's lane
 */
ROWS_INLINE __m256i codebook_unpack(const uint8_t *block, size_t half, int group, const struct codebook_tables *tables,
                                    const __m256i *of_rows, __m256i *values)
{
    __m256i byte = codebook_spread(codebook_load(block + 32 + 64 * (group / 4) + 32 * half), group % 4);
    __m256i codes = codebook_load(block + 288 + 64 * group + 32 * (int)half), upper = codes;
#if CB_NUMBER_BITS == 4
    __m256i join = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
#else
    __m256i join = _mm256_and_si256(_mm256_slli_epi32(byte, 2), _mm256_set1_epi8(0x0c));
#endif
#if CB_BITS == 3
    upper = codebook_load(block + 1312 + 64 * (group / 2) + 32 * (int)half);
#endif
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++) {
        __m256i index = _mm256_and_si256(_mm256_srli_epi32(codes, 2 * p), _mm256_set1_epi8(3));
        values[p] = codebook_look_up(tables, of_rows[group % 4], _mm256_or_si256(index, join),
                                     _mm256_slli_epi32(upper, 7 - (4 * (group % 2) + p)));
    }
    return byte;
}

#endif
