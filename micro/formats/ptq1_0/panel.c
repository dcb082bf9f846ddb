/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of PTQ1_0, in rows as they are stored or sixteen rows interleaved: digits are unpacked to bytes in scratch, once for all tokens, and multiplied
 * as blocks of as many bytes are (gemm_block32_*.h). A lane of four bytes of a row has five lines of digits, and activations lie in that order
 * (ptq1_0_place()). A tile is eight rows by four tokens, with registers of 512 bits 32 rows by six. Words of AVX2 hold a block: 32 pairs of digits of at
 * most 2.
 */
#include <immintrin.h>
#include <string.h>

#include "micro/formats/ptq1_0/digits_256.h"
#include "micro/formats/ptq1_0/ptq1_0_digits.h"
#include "micro/frames/gemm_four_rows.h"

#define CODE_OFFSET        1
#define GEMM_BLOCK_BYTES   BLOCK_BYTES
#define GEMM_STORED_ROWS   BLOCK_ROWS
#define GEMM_LINES         32
#define GEMM_PLACE(column) ptq1_0_place((uint32_t)(column))
#define byte_codes(line)   (line)

enum { LANES = 6, LAST = 30 }; /* of four bytes with five lines each; line of the last two */

/** Four bytes of each of eight rows. */
ROWS_INLINE void gemm_unpack_lane(__m256i bytes, int count, uint8_t *to)
{
    __m256i digit[5];
    digits_of(bytes, count, digit);
#pragma GCC unroll 5
    for (int n = 0; n < count; n++)
        _mm256_storeu_si256((__m256i *)(void *)(to + 64 * n), digit[n]);
}

#if BLOCK_ROWS == 1
/** Eight rows, whose first 16 bytes and last 16 of 28 share four. */
ROWS_INLINE void gemm_unpack_rows(const uint8_t *const *row, uint8_t *to)
{
    __m128i first[2][4], second[2][4];
#pragma GCC unroll 2
    for (size_t part = 0; part < 2; part++) {
        gemm_four_rows(row, 12 * part, first[part]);
        gemm_four_rows(row + 4, 12 * part, second[part]);
    }
#pragma GCC unroll 6
    for (size_t c = 0; c < LANES; c++)
        gemm_unpack_lane(_mm256_set_m128i(second[c / 4][c % 4 + c / 4], first[c / 4][c % 4 + c / 4]), 5, to + 320 * c);
    __m256i words = _mm256_and_si256(_mm256_set_m128i(second[1][3], first[1][3]), _mm256_set1_epi32(0xffff));
    gemm_unpack_lane(digits_last(words), 2, to + 64 * LAST);
}

static void gemm_interleave(const uint8_t *rows, size_t stride, size_t count, size_t block, uint8_t *to)
{
    static const uint8_t none[BLOCK_BYTES]; /* the scale is 0 */
    const uint8_t *row[16];
    for (size_t r = 0; r < 16; r++) {
        row[r] = r < count ? rows + r * stride + block * BLOCK_BYTES : none;
        memcpy(to + 2 * r, row[r] + 26, 2);
    }
    for (size_t half = 0; half < 2; half++)
        gemm_unpack_rows(row + 8 * half, to + 32 + 32 * half);
}
#else
static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
{
    (void)stride, (void)count; /* a panel has all 16 rows */
    const uint8_t *from = panels + block * BLOCK_BYTES;
    memcpy(to, from, 32);
    for (size_t half = 0; half < 2; half++) {
        uint8_t *lines = to + 32 + 32 * half;
#pragma GCC unroll 6
        for (size_t c = 0; c < LANES; c++)
            gemm_unpack_lane(_mm256_loadu_si256((const void *)(from + 64 + 64 * c + 32 * half)), 5, lines + 320 * c);
        __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(from + 32 + 16 * half)));
        gemm_unpack_lane(digits_last(words), 2, lines + 64 * LAST);
    }
}
#endif

#include "micro/families/block32/gemm_block32_words.h"

const struct kernel SELF = GEMM_KERNEL;
