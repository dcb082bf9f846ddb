/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_interleave() of gemm_blocks.h for rows of blocks of 32 that begin with a scale, of 16 bits unless GEMM_SCALE_BYTES says 1: to the blocks of 16 rows that
 * gemm_block32_operand.h describes, some 90 uops for 16 rows of nibbles, which a token takes 11 of. In registers of 128 bits on every
 * instruction set: wider ones need as many loads, and inserts besides.
 */
#ifndef MICRO_FAMILIES_BLOCK32_GEMM_INTERLEAVE_BLOCK32_H
#define MICRO_FAMILIES_BLOCK32_GEMM_INTERLEAVE_BLOCK32_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "micro/frames/rows.h"

#ifdef GEMM_SCALE_BYTES
#define GEMM_STORED_SCALE_BYTES GEMM_SCALE_BYTES
#else
#define GEMM_STORED_SCALE_BYTES 2
#endif
#ifdef GEMM_GROUPS /* scales of all groups, then all lines */
enum { GEMM_STORED_GROUPS = GEMM_GROUPS };
#else
enum { GEMM_STORED_GROUPS = 1 };
#endif
enum { GEMM_STORED_SCALES = GEMM_STORED_SCALE_BYTES * GEMM_STORED_GROUPS };

/** 16 bytes of a row, or zeros where it is not there. */
ROWS_INLINE __m128i gemm_load_row(const uint8_t *rows, size_t stride, size_t count, size_t row)
{
    return row < count ? _mm_loadu_si128((const __m128i *)(const void *)(rows + row * stride)) : _mm_setzero_si128();
}

/** 16 bytes of rows row … row + 3: bytes 4 i … 4 i + 3 of each side by side in line i. */
ROWS_INLINE void gemm_interleave_four(const uint8_t *rows, size_t stride, size_t count, size_t row, uint8_t *to)
{
    __m128i first = gemm_load_row(rows, stride, count, row), second = gemm_load_row(rows, stride, count, row + 1);
    __m128i third = gemm_load_row(rows, stride, count, row + 2), fourth = gemm_load_row(rows, stride, count, row + 3);
    __m128i low = _mm_unpacklo_epi32(first, second), low2 = _mm_unpacklo_epi32(third, fourth);
    __m128i high = _mm_unpackhi_epi32(first, second), high2 = _mm_unpackhi_epi32(third, fourth);
    __m128i *line = (__m128i *)(void *)(to + 4 * row);
    _mm_storeu_si128(line, _mm_unpacklo_epi64(low, low2));
    _mm_storeu_si128(line + 4, _mm_unpackhi_epi64(low, low2));
    _mm_storeu_si128(line + 8, _mm_unpacklo_epi64(high, high2));
    _mm_storeu_si128(line + 12, _mm_unpackhi_epi64(high, high2));
}

/** A constant count is inlined. Words are copied one by one, which takes no vector port. */
ROWS_INLINE void gemm_interleave_rows(const uint8_t *rows, size_t stride, size_t count, uint8_t *to)
{
#pragma GCC unroll 16
    for (size_t row = 0; row < 16; row++) {
        uint8_t scales[GEMM_STORED_SCALES] = {0};
        if (row < count)
            memcpy(scales, rows + row * stride, sizeof scales);
#pragma GCC unroll 4
        for (size_t group = 0; group < GEMM_STORED_GROUPS; group++)
            memcpy(to + (16 * group + row) * GEMM_STORED_SCALE_BYTES, scales + group * GEMM_STORED_SCALE_BYTES,
                   GEMM_STORED_SCALE_BYTES);
    }
#pragma GCC unroll 2
    for (size_t part = 0; part < GEMM_LINES * GEMM_STORED_GROUPS / 4; part++) {
#pragma GCC unroll 4
        for (size_t row = 0; row < 16; row += 4)
            gemm_interleave_four(rows + GEMM_STORED_SCALES + 16 * part, stride, count, row,
                                 to + 16 * GEMM_STORED_SCALES + 256 * part);
    }
}

static void gemm_interleave(const uint8_t *rows, size_t stride, size_t count, size_t block, uint8_t *to)
{
    if (count >= 16)
        gemm_interleave_rows(rows + block * GEMM_BLOCK_BYTES, stride, 16, to);
    else
        gemm_interleave_rows(rows + block * GEMM_BLOCK_BYTES, stride, count, to);
}

#endif
