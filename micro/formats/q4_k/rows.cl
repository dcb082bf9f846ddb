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

/** Of a group: micro/families/k_quants/k_quant_scales.h draws them. */
uint2 scale_and_minimum(global const uchar *block, uint group)
{
    if (group < 4)
        return (uint2)(block[4 + group] & 63, block[8 + group] & 63);
    return (uint2)((block[8 + group] & 15) | block[group] >> 6 << 4, block[8 + group] >> 4 | block[4 + group] >> 6 << 4);
}

sum_t add_group(global const uchar *block, uint group, uchar16 first, uchar16 second, global const float *activations,
                sum_t sum)
{
    const uint2 of = scale_and_minimum(block, group);
    const float scale = vload_half(0, (global const half *)block) * (float)of.x;
    const float minimum = vload_half(1, (global const half *)block) * (float)of.y;
    sum = mad(convert_float16(first) * scale - minimum, vload16(0, activations), sum);
    return mad(convert_float16(second) * scale - minimum, vload16(1, activations), sum);
}

void step(global const uchar *panel, uint piece, uint item, global const float *activations, sum_t *sum)
{
    global const uchar *block = panel + piece / 4 * 144;
    const uint chunk = piece % 4;
    const uchar16 first = vload16(2 * chunk, block + 16), second = vload16(2 * chunk + 1, block + 16);
    activations += piece * PIECE_COLUMNS;
    sum[0] = add_group(block, 2 * chunk, first & (uchar)15, second & (uchar)15, activations, sum[0]);
    sum[0] = add_group(block, 2 * chunk + 1, first >> (uchar)4, second >> (uchar)4, activations + 32, sum[0]);
}

void results(const sum_t *sum, float *y)
{
    *y = SUM_AS(float, sum[0]);
}
