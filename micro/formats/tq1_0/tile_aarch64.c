/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of TQ1_0 on aarch64: rows are zipped, digits come to the top and are recognised as in compare_aarch64.c, and are -1, 0, 1, once for all tokens,
 * then smmla, sdot, or smull, smlal and sadalp: gemm_unpacked_aarch64.h.
 */
#define BLOCK_ROWS    1
#define GEMM_COLUMNS  BLOCK_COLUMNS
#define GEMM_INTEGERS 0
#define GEMM_GROUPS   0
#define GEMM_MINIMA   0
#include "micro/families/blocks/gemm_unpacked_aarch64.h"
#include "micro/formats/tq1_0/digits_neon.h"

/** Five digits of bytes `at` … at + 15 of each row: groups of 16 columns, the first of them and every `apart`-th. */
ROWS_INLINE void unpack_five(struct gemm_quad from, size_t at, size_t group, size_t apart, struct gemm_block *to)
{
    uint8x16_t fractions[4], q[4];
    quad_of_rows(from.row, at, fractions);
#pragma GCC unroll 5
    for (size_t n = 0; n < 5; n++) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            q[i] = vreinterpretq_u8_s8(digits(vmulq_u8(fractions[i], vdupq_n_u8(digit_powers[n]))));
        gemm_put(to, from, group + n * apart, q);
    }
}

ROWS_INLINE void gemm_unpack(struct gemm_quad from, size_t columns, struct gemm_block *to)
{
    (void)columns; /* K is a multiple of a block */
    uint8x16_t last[4], q[4];
    unpack_five(from, 0, 0, 2, to);
    unpack_five(from, 16, 1, 2, to);
    unpack_five(from, SIXTEEN, SIXTEEN_COLUMN / 16, 1, to);
    quad_words_of_rows(from.row, FOUR - 12, last); /* word 3 has the bytes of four digits */
#pragma GCC unroll 4
    for (size_t n = 0; n < 4; n++)
        q[n] = vreinterpretq_u8_s8(digits(vmulq_u8(last[3], vdupq_n_u8(digit_powers[n]))));
    quad_from_fours(q);
    gemm_put(to, from, FOUR_COLUMN / 16, q);
    vst1q_f32(to->d + 4 * from.number, quad_halves_of_rows(from.row, SCALE));
}

const struct kernel SELF = GEMM_UNPACKED_KERNEL;
