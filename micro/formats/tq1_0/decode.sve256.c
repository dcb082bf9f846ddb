/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: umulh by 3 brings a digit out of a fraction, which Neon has not for bytes. Of the
 * 32 bytes that five digits each are of a register is all; the 16 after them are in both halves, for two digits at a time, and their fifth
 * stands beside the four digits of four bytes, whose columns follow.
 */
#include "micro/families/blocks/blocks_neon.h"
#include "micro/formats/tq1_0/digits_neon.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

/** First digits of fractions, 0 to 2, times activations. */
ROWS_INLINE tile_ints add_digits(tile_ints sum, tile_bytes fractions, const int8_t *a)
{
    tile_bytes digits = svmulh_n_u8_x(TILE_ALL, fractions, 3);
    return tile_dot(sum, tile_signed_of(digits), tile_load_signed(a));
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    static const uint8_t powers[] = {1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27};
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
    tile_bytes fractions = tile_load(weights), sixteen = svld1rq_u8(TILE_ALL, weights + SIXTEEN);
    uint32_t last;
    memcpy(&last, weights + FOUR, sizeof last);
    tile_ints whole = add_digits(tile_first_int(-a->sum), fractions, q);
#pragma GCC unroll 4
    for (int n = 1; n < 5; n++)
        whole = add_digits(whole, svmul_n_u8_x(TILE_ALL, fractions, digit_powers[n]), q + 32 * n);
    q += SIXTEEN_COLUMN;
    whole = add_digits(whole, svmul_u8_x(TILE_ALL, sixteen, tile_of_halves(1, 3)), q);
    whole = add_digits(whole, svmul_u8_x(TILE_ALL, sixteen, tile_of_halves(9, 27)), q + 32);
    svbool_t lower = svptrue_pat_b8(SV_VL16);
    tile_bytes both = svsel_u8(lower, sixteen, svreinterpret_u8_u32(svdup_n_u32(last)));
    tile_bytes factors = svsel_u8(lower, svdup_n_u8(81), svld1rq_u8(TILE_ALL, powers));
    whole = add_digits(whole, svmul_u8_x(TILE_ALL, both, factors), q + 64);
    return block_add_whole(sum, whole, weights + SCALE, a->scale);
}

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/tq1_0/kernel_aarch64.h"

#include "micro/frames/gamma.h"
