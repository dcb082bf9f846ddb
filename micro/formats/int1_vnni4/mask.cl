/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bits as format.c draws them. A piece is four columns: a word a lane, whose nibble i is of row 8 * lane + i; a bit that is not set is
 * the code 1. A work-item has WIDTH neighbouring lanes.
 */
#define SUMS            8
#define RESULTS         (SUMS * WIDTH)
#define PIECE_COLUMNS   4
#define ROW_OF(item, r) (((item)*WIDTH + (r) % WIDTH) * SUMS + (r) / WIDTH)

piece_t load(global const uchar *panel, uint piece, uint item)
{
    return READ((global const uint *)panel + piece * LANES + item * WIDTH);
}

void multiply(piece_t words, uint piece, OPERAND const char *activations, sum_t *sum)
{
    const uint a = ((OPERAND const uint *)activations)[piece];
    words = ~words;
#pragma unroll
    for (uint i = 0; i < SUMS; i++) /* bit b of the nibble to byte b */
        sum[i] += dot_all((words >> i * 4 & 15u) * 0x00204081u & 0x01010101u, a);
}

void results(const sum_t *sum, int *y)
{
    for (uint i = 0; i < SUMS; i++)
        WRITE(sum[i], y + i * WIDTH);
}
