/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amx_requantized.h requires of panels of 16 rows of group-wise codebooks. A group of 16 columns has four or eight values a row: their products with
 * its scale are rounded once, and lie as bytes where vpshufb looks up four rows in 128 bits, by code and row.
 *
 * Predicted, not measured: of four values 16 x (25 uops for the largest magnitude, 40 for the rounded values and what is looked up) a block of 16
 * rows on two ports, 520 cycles once for all tokens. A token then takes 4 cycles of tdp and 4 of scaling, where the tile of 32 rows by
 * six tokens of AVX512-VNNI has 64 products and 16 x 3 uops of scaling on two ports, 56: it pays above some 12 tokens.
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_AMX_REQUANTIZED_CODEBOOKS_H
#define MICRO_FAMILIES_CODEBOOKS_AMX_REQUANTIZED_CODEBOOKS_H

#include "micro/families/amx/amx_requantized.h"
#include "micro/of_self.h"

enum { GROUPS = 16, ENTRIES = 1 << CB_BITS, NUMBERS_AT = 32, CODES_AT = 288, UPPER_AT = 1312 };

static const int8_t codebooks[CB_BOOKS][ENTRIES] = {
#include OF_FORMAT(codebooks.inc)
};

/** Of codebooks 0 … 15: value c of each as floats; magnitudes of values 4 i … of each as bytes. */
struct tables {
    __m512 value[ENTRIES];
    __m512i magnitudes[ENTRIES / 4];
};

static inline void tables_make(struct tables *to)
{
    for (size_t i = 0; i < ENTRIES / 4; i++) {
        int32_t four[16];
        for (size_t book = 0; book < 16; book++)
            memcpy(&four[book], codebooks[book % CB_BOOKS] + 4 * i, sizeof four[book]);
        __m512i bytes = _mm512_loadu_si512(four);
        to->magnitudes[i] = _mm512_abs_epi8(bytes);
        for (size_t code = 0; code < 4; code++) {
            __m512i value = _mm512_sllv_epi32(bytes, _mm512_set1_epi32(24 - 8 * (int)code));
            to->value[4 * i + code] = _mm512_cvtepi32_ps(_mm512_srai_epi32(value, 24));
        }
    }
}

/** The byte of a group in each row's lane, signed. */
static inline __m512i byte_of(const uint8_t *block, int group)
{
    __m512i bytes = _mm512_loadu_si512(block + NUMBERS_AT + 64 * (group / 4));
    return _mm512_srai_epi32(_mm512_sllv_epi32(bytes, _mm512_set1_epi32(24 - 8 * (group % 4))), 24);
}

static inline __m512i number_of(__m512i byte)
{
    return _mm512_and_si512(byte, _mm512_set1_epi32((1 << CB_NUMBER_BITS) - 1));
}

/** Of columns 4 p … of a group and 16 rows what their codes number in bytes that lie [row][4]; the upper four of eight in `table[1]`. */
static inline __m512i look_up_field(const uint8_t *block, int group, int p, const __m512i *table)
{
    const __m512i rows = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
    __m512i codes = _mm512_loadu_si512(block + CODES_AT + 64 * group);
    codes = _mm512_srlv_epi32(codes, _mm512_set1_epi32(2 * p));
    codes = _mm512_or_si512(_mm512_and_si512(codes, _mm512_set1_epi8(3)), rows);
    __m512i values = _mm512_shuffle_epi8(table[0], codes);
#if CB_BITS == 3
    __m512i upper = _mm512_loadu_si512(block + UPPER_AT + 64 * (group / 2));
    __mmask64 is_upper = _mm512_test_epi8_mask(upper, _mm512_set1_epi8((char)(1 << (4 * (group % 2) + p))));
    values = _mm512_mask_shuffle_epi8(values, is_upper, table[1], codes);
#endif
    return values;
}

/** max|w| of each row of a group. */
static inline __m512 largest_of(const uint8_t *block, int group, const struct tables *tables, __m512 scale)
{
    __m512i number = number_of(byte_of(block, group)), table[ENTRIES / 4], most = _mm512_setzero_si512();
    for (int i = 0; i < ENTRIES / 4; i++)
        table[i] = _mm512_permutexvar_epi32(number, tables->magnitudes[i]);
    for (int p = 0; p < 4; p++)
        most = _mm512_max_epu8(most, look_up_field(block, group, p, table));
    return _mm512_mul_ps(_mm512_abs_ps(scale), largest_byte(most));
}

/** ratio: scale of the group / scale of the run. */
static inline void requantize_group(const uint8_t *block, int group, const struct tables *tables, __m512 ratio,
                                    int8_t *to)
{
    __m512i number = number_of(byte_of(block, group)), q[ENTRIES], table[ENTRIES / 4];
    for (int code = 0; code < ENTRIES; code++) {
        __m512 value = _mm512_permutexvar_ps(number, tables->value[code]);
        q[code] = _mm512_cvtps_epi32(_mm512_mul_ps(ratio, value));
    }
    for (int i = 0; i < ENTRIES / 4; i++)
        table[i] = bytes_of(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
    for (int p = 0; p < 4; p++)
        _mm512_store_si512(to + 64 * (4 * group + p), look_up_field(block, group, p, table));
}

/** A block: K is a multiple of it. */
static void requantize(const struct gemm_slice *slice, size_t group, size_t first, size_t columns, int8_t *q,
                       float *run_scale)
{
    const uint8_t *block = slice->weights + group * slice->panel_bytes + first / BLOCK_COLUMNS * BLOCK_BYTES;
    struct tables tables;
    __m512 scale[GROUPS], most = _mm512_setzero_ps();
    (void)columns;
    for (size_t line = 0; slice->prefetch_bytes && line < BLOCK_BYTES; line += 64)
        _mm_prefetch((const char *)((uintptr_t)block + slice->prefetch_bytes + line), _MM_HINT_T0);
    tables_make(&tables);
    __m512 d = _mm512_cvtph_ps(_mm256_loadu_si256((const void *)block));
    for (int i = 0; i < GROUPS; i++) {
        scale[i] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(_mm512_srai_epi32(byte_of(block, i), CB_NUMBER_BITS)));
        most = _mm512_max_ps(most, largest_of(block, i, &tables, scale[i]));
    }
    __m512 factor = factor_of(most, run_scale);
    for (int i = 0; i < GROUPS; i++)
        requantize_group(block, i, &tables, _mm512_mul_ps(scale[i], factor), q);
}

static int32_t byte_at(const uint8_t *panel, uint32_t row, size_t column)
{
    size_t group = column % BLOCK_COLUMNS / 16;
    const uint8_t *block = panel + column / BLOCK_COLUMNS * BLOCK_BYTES;
    return (int8_t)block[NUMBERS_AT + group / 4 * 64 + 4 * row + group % 4];
}

static float scale_of(const uint8_t *panel, uint32_t row, size_t column)
{
    const float d = half_float_at(panel + column / BLOCK_COLUMNS * BLOCK_BYTES + 2 * row);
    return d * (float)(byte_at(panel, row, column) >> CB_NUMBER_BITS);
}

static int32_t code_value(const uint8_t *panel, uint32_t row, size_t column)
{
    size_t in_block = column % BLOCK_COLUMNS, group = in_block / 16, p = in_block % 16 / 4, at = 4 * row + in_block % 4;
    const uint8_t *block = panel + column / BLOCK_COLUMNS * BLOCK_BYTES;
    uint32_t code = (uint32_t)block[CODES_AT + 64 * group + at] >> 2 * p & 3;
    if (CB_BITS == 3)
        code |= ((uint32_t)block[UPPER_AT + 64 * (group / 2) + at] >> (4 * (group % 2) + p) & 1) << 2;
    return codebooks[byte_at(panel, row, column) & (CB_BOOKS - 1)][code];
}

extern const struct format SELF_FORMAT;

#endif
