/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32 columns of one row, as format.c draws them: a piece is a block. A weight is exact in a float.
 */
#define SUMS            1
#define RESULTS         1
#define PIECE_COLUMNS   32
#define ROW_OF(item, r) 0
typedef vector sum_t;
typedef struct {
    float scale;
    uchar16 codes;
} piece_t;

piece_t load(global const uchar *panel, uint piece, uint item)
{
    global const uchar *block = panel + piece * 18;
    const piece_t loaded = {vload_half(0, (global const half *)block), vload16(0, block + 2)};
    return loaded;
}

piece_t turn(piece_t piece, uint by)
{
    piece.codes ^= (uchar)by;
    return piece;
}

void multiply(piece_t block, uint piece, OPERAND const float *activations, sum_t *sum)
{
    activations += piece * PIECE_COLUMNS;
    const vector low = (convert_float16(block.codes & (uchar)15) - 8.0f) * block.scale;
    const vector high = (convert_float16(block.codes >> (uchar)4) - 8.0f) * block.scale;
    sum[0] = mad(high, vload16(1, activations), mad(low, vload16(0, activations), sum[0]));
}

void results(const sum_t *sum, float *y)
{
    *y = SUM_AS(float, sum[0]);
}
