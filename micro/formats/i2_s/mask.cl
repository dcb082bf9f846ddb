/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of 2 bits of one row, as format.c draws them. A piece is WIDTH words (at most 8), of which each field is of four neighbouring columns of a
 * quarter of 128.
 */
#define SUMS            1
#define RESULTS         1
#define PIECE_COLUMNS   (16 * WIDTH)
#define ROW_OF(item, r) 0

piece_t load(global const uchar *panel, uint piece, uint item)
{
    return READ((global const uint *)panel + piece * WIDTH);
}

void multiply(piece_t words, uint piece, OPERAND const char *activations, sum_t *sum)
{
    const uint first = piece * WIDTH;
    OPERAND const uint *a = (OPERAND const uint *)activations + first / 8 * 32 + first % 8;
#pragma unroll
    for (uint quarter = 0; quarter < 4; quarter++)
        sum[0] += dot_each(words >> (6 - 2 * quarter) & 0x03030303u, READ(a + 8 * quarter));
}

void results(const sum_t *sum, int *y)
{
    *y = SUM(sum[0]);
}
