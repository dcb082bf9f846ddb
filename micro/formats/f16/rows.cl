/* SPDX-License-Identifier: BSD-3-Clause
 *
 * binary16, a row after the other: a piece is sixteen columns. A weight is exact in a float.
 */
#define SUMS            1
#define RESULTS         1
#define PIECE_COLUMNS   16
#define ROW_OF(item, r) 0
typedef vector sum_t;
typedef ushort16 piece_t;

piece_t load(global const uchar *panel, uint piece, uint item)
{
    return vload16(piece, (global const ushort *)panel);
}

piece_t turn(piece_t piece, uint by)
{
    return piece ^ (ushort)by;
}

void multiply(piece_t halves, uint piece, OPERAND const float *activations, sum_t *sum)
{
    const ushort16 from = halves;
    sum[0] = mad(vload_half16(0, (const half *)&from), vload16(piece, activations), sum[0]);
}

void results(const sum_t *sum, float *y)
{
    *y = SUM_AS(float, sum[0]);
}
