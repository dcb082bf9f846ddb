/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of codes of 1 or 2 bits, in rows as they are stored or sixteen rows interleaved: codes are unpacked to bytes in scratch, once for all tokens, and
 * multiplied as blocks of as many bytes are (gemm_block32_*.h). A byte of codes is never taken apart across its lane: fields of four bytes of
 * a row are a line, and activations lie in that order. A bit is multiplied as 0 or 2, so that codes are 1 more than weights. A tile is eight rows by
 * four tokens, with registers of 512 bits 32 rows by six. Words of AVX2 hold a block: 32 pairs of codes of at most 3.
 */
#include <immintrin.h>
#include <string.h>

#include "micro/frames/gemm_four_rows.h"
#include "micro/frames/rows.h"

enum { FIELDS = 8 / FIELD_BITS };

#define CODE_OFFSET        1
#define GEMM_BLOCK_BYTES   BLOCK_BYTES
#define GEMM_STORED_ROWS   BLOCK_ROWS
#define GEMM_LINES         (BLOCK_COLUMNS / 4)
#define GEMM_PLACE(column) gemm_place(column)
#define byte_codes(line)   (line)

/** Byte b of the four of a lane, and its field: line 4 bytes * FIELDS + field, byte b. */
static inline size_t gemm_place(size_t column)
{
    return column / (4 * FIELDS) * (4 * FIELDS) + column % FIELDS * 4 + column / FIELDS % 4;
}

ROWS_INLINE __m256i gemm_field(__m256i line, int field)
{
#if FIELD_BITS == 1
    __m256i shifted = field ? _mm256_srli_epi32(line, field - 1) : _mm256_slli_epi32(line, 1);
    return _mm256_and_si256(shifted, _mm256_set1_epi8(2));
#else
    return _mm256_and_si256(_mm256_srli_epi32(line, 2 * field), _mm256_set1_epi8(3));
#endif
}

/** Four bytes of each of eight rows. */
ROWS_INLINE void gemm_unpack_line(__m256i line, uint8_t *to)
{
#pragma GCC unroll 8
    for (int field = 0; field < FIELDS; field++)
        _mm256_storeu_si256((__m256i *)(void *)(to + 64 * field), gemm_field(line, field));
}

#if BLOCK_ROWS == 1
static void gemm_interleave(const uint8_t *rows, size_t stride, size_t count, size_t block, uint8_t *to)
{
    static const uint8_t none[BLOCK_BYTES]; /* the scale is 0 */
    const uint8_t *row[16];
    for (size_t r = 0; r < 16; r++) {
        row[r] = r < count ? rows + r * stride + block * BLOCK_BYTES : none;
        memcpy(to + 2 * r, row[r], 2);
    }
    for (size_t half = 0; half < 2; half++) {
        for (size_t part = 0; part < FIELD_PARTS; part++) {
            __m128i first[4], second[4];
            gemm_four_rows(row + 8 * half, 2 + 16 * part, first);
            gemm_four_rows(row + 8 * half + 4, 2 + 16 * part, second);
#pragma GCC unroll 4
            for (size_t c = 0; c < 4; c++)
                gemm_unpack_line(_mm256_set_m128i(second[c], first[c]),
                                 to + 32 + 32 * half + 64 * FIELDS * (4 * part + c));
        }
    }
}
#else
static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
{
    (void)stride, (void)count; /* a panel has all 16 rows */
    const uint8_t *from = panels + block * BLOCK_BYTES;
    memcpy(to, from, 32);
    for (size_t half = 0; half < 2 * 4 * FIELD_PARTS; half++) {
        __m256i line = _mm256_loadu_si256((const __m256i *)(const void *)(from + 32 + 32 * half));
        gemm_unpack_line(line, to + 32 + 32 * (half % 2) + 64 * FIELDS * (half / 2));
    }
}
#endif

#include "micro/families/block32/gemm_block32_words.h"

const struct kernel SELF = GEMM_KERNEL;
