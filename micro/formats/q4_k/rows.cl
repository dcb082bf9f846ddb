/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 256 columns of one row, as format.c draws them: a piece is 32 bytes of codes, of two groups of 32 columns. d * scale * code and
 * dmin * minimum are exact in a float, so that a weight is rounded once.
 */
#define SUMS            1
#define RESULTS         1
#define PIECE_COLUMNS   64
#define ROW_OF(item, r) 0
typedef vector sum_t;
typedef struct {
    float4 of; /* d * scale and dmin * minimum of the first group and of the second */
    uchar16 low, high;
} piece_t;

/** Of a group: micro/families/k_quants/k_quant_scales.h draws them. */
uint2 scale_and_minimum(global const uchar *block, uint group)
{
    if (group < 4)
        return (uint2)(block[4 + group] & 63, block[8 + group] & 63);
    return (uint2)((block[8 + group] & 15) | block[group] >> 6 << 4, block[8 + group] >> 4 | block[4 + group] >> 6 << 4);
}

piece_t load(global const uchar *panel, uint piece, uint item)
{
    global const uchar *block = panel + piece / 4 * 144;
    const uint group = piece % 4 * 2;
    const uint2 first = scale_and_minimum(block, group), second = scale_and_minimum(block, group + 1);
    const float d = vload_half(0, (global const half *)block), dmin = vload_half(1, (global const half *)block);
    const piece_t loaded = {(float4)(d * first.x, dmin * first.y, d * second.x, dmin * second.y),
                            vload16(group, block + 16), vload16(group + 1, block + 16)};
    return loaded;
}

piece_t turn(piece_t piece, uint by)
{
    piece.low ^= (uchar)by;
    piece.high ^= (uchar)by;
    return piece;
}

void multiply(piece_t block, uint piece, OPERAND const float *activations, sum_t *sum)
{
    activations += piece * PIECE_COLUMNS;
    sum_t all = sum[0];
    all = mad(convert_float16(block.low & (uchar)15) * block.of.x - block.of.y, vload16(0, activations), all);
    all = mad(convert_float16(block.high & (uchar)15) * block.of.x - block.of.y, vload16(1, activations), all);
    all = mad(convert_float16(block.low >> (uchar)4) * block.of.z - block.of.w, vload16(2, activations), all);
    sum[0] = mad(convert_float16(block.high >> (uchar)4) * block.of.z - block.of.w, vload16(3, activations), all);
}

void results(const sum_t *sum, float *y)
{
    *y = SUM_AS(float, sum[0]);
}
