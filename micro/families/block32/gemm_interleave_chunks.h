/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_interleave() of gemm_blocks.h for blocks of 32 nibbles of four or eight rows that are interleaved in chunks of four or eight bytes: to the
 * blocks of 16 rows that gemm_block32_operand.h describes, codes as the format of single rows has them. Some 60 uops for 16 rows,
 * which a token takes 11 of, in registers of 128 bits on every instruction set.
 */
#ifndef MICRO_FAMILIES_BLOCK32_GEMM_INTERLEAVE_CHUNKS_H
#define MICRO_FAMILIES_BLOCK32_GEMM_INTERLEAVE_CHUNKS_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "micro/frames/rows.h"

#define GEMM_STORED_ROWS BLOCK_ROWS

ROWS_INLINE __m128i gemm_load_codes(const uint8_t *at)
{
    return _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)at), _mm_set1_epi8((char)BLOCK_TURNED));
}

/** Four columns of four rows, in line `line`. */
ROWS_INLINE void gemm_store_codes(uint8_t *to, size_t line, size_t row, __m128i codes)
{
    _mm_storeu_si128((__m128i *)(void *)(to + 32 + 64 * line + 4 * row), codes);
}

/** Rows row … row + 3 of a block of 16 rows, from rows first … first + 3 of its panel. */
ROWS_INLINE void gemm_interleave_four(const uint8_t *block, size_t first, uint8_t *to, size_t row)
{
    const uint8_t *codes = block + BLOCK_CODES + first * BLOCK_CHUNK;
#pragma GCC unroll 4
    for (size_t chunk = 0; chunk < 16 / BLOCK_CHUNK; chunk++, codes += (size_t)BLOCK_ROWS * BLOCK_CHUNK) {
#if BLOCK_CHUNK == 4
        gemm_store_codes(to, chunk, row, gemm_load_codes(codes));
#else
        __m128 two = _mm_castsi128_ps(gemm_load_codes(codes)), others = _mm_castsi128_ps(gemm_load_codes(codes + 16));
        gemm_store_codes(to, 2 * chunk, row, _mm_castps_si128(_mm_shuffle_ps(two, others, 0x88)));
        gemm_store_codes(to, 2 * chunk + 1, row, _mm_castps_si128(_mm_shuffle_ps(two, others, 0xdd)));
#endif
    }
}

static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)
{
    if (count < 16)
        memset(to, 0, 32 + 64 * GEMM_LINES);
    for (size_t row = 0; row < 16 && row < count; row += BLOCK_ROWS) {
        const uint8_t *from = panels + row / BLOCK_ROWS * stride + block * BLOCK_BYTES;
        memcpy(to + 2 * row, from, 2 * BLOCK_ROWS);
        for (size_t first = 0; first < BLOCK_ROWS; first += 4)
            gemm_interleave_four(from, first, to, row + first);
    }
}

#endif
