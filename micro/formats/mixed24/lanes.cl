/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps of 64 columns, as format.c draws them; a lane is a row. Scales of groups are dequantized where a step is loaded: with AHEAD while the
 * step before is multiplied, which is the asynchronous order of [mixed-2-4-16, 5]. A weight is exact in a float.
 */
#define SUMS            1
#define RESULTS         WIDTH
#define PIECE_COLUMNS   64
#define ROW_OF(item, r) ((item)*WIDTH + (r))
#if WIDTH == 1
typedef uint words_t;
#define WORDS(p)          (*(p))
#define WORDS_OF_16(p)    ((uint)*(p))
#define FLOATS(words)     ((float)(words))
#define STORE(sums, p)    (*(p) = (sums))
#else
typedef JOIN(uint, WIDTH) words_t;
#define WORDS(p)       JOIN(vload, WIDTH)(0, p)
#define WORDS_OF_16(p) JOIN(convert_uint, WIDTH)(JOIN(vload, WIDTH)(0, p))
#define FLOATS(words)  JOIN(convert_float, WIDTH)(words)
#define STORE(sums, p) JOIN(vstore, WIDTH)(sums, 0, p)
#endif
typedef vector sum_t;
typedef struct {
    words_t codes[5];
    vector scale[4], zero[4];
} piece_t;

piece_t load(global const uchar *panel, uint piece, uint item)
{
    const uint scale_bits[3] = {4, 3, 3}, scale_at[3] = {6, 10, 13};
    global const uchar *step = panel + piece * 364;
    global const half *scale2 = (global const half *)(step + 352);
    global const char *zero2 = (global const char *)(step + 360);
    piece_t loaded;
#pragma unroll
    for (uint i = 0; i < 5; i++)
        loaded.codes[i] = WORDS((global const uint *)step + 16 * i + item * WIDTH);
    const words_t words = WORDS_OF_16((global const ushort *)(step + 320) + item * WIDTH);
#pragma unroll
    for (uint g = 0; g < 3; g++) {
        const words_t scale = words >> scale_at[g] & ((1u << scale_bits[g]) - 1);
        loaded.scale[g] = (FLOATS(scale) - (float)zero2[g]) * vload_half(g, scale2);
        loaded.zero[g] = FLOATS(words >> 2 * g & 3u);
    }
    loaded.scale[3] = (vector)vload_half(3, scale2);
    loaded.zero[3] = (vector)(float)zero2[3];
    return loaded;
}

piece_t turn(piece_t piece, uint by)
{
#pragma unroll
    for (uint i = 0; i < 5; i++)
        piece.codes[i] ^= by;
    return piece;
}

/** Of a column of the step, but for its group's scale. */
vector less_zero(const piece_t *step, uint column)
{
    const uint group = column / 16, c = column % 16;
    const words_t code = group < 3 ? step->codes[group] >> (c % 4 * 8 + c / 4 * 2) & 3u
                                   : step->codes[3 + c / 8] >> (c % 4 * 8 + c % 8 / 4 * 4) & 15u;
    return FLOATS(code) - step->zero[group];
}

void multiply(piece_t step, uint piece, OPERAND const float *activations, sum_t *sum)
{
#pragma unroll
    for (uint group = 0; group < 4; group++) {
        vector of_group = 0;
#pragma unroll
        for (uint c = 0; c < 16; c++)
            of_group = mad(less_zero(&step, 16 * group + c), activations[piece * 64 + 16 * group + c], of_group);
        sum[0] = mad(of_group, step.scale[group], sum[0]);
    }
}

/** All weights to local memory first, which the paper calls synchronous: each GROUP vectors after the one before. */
void dequantize(piece_t step, local vector *buffer)
{
#pragma unroll
    for (uint column = 0; column < 64; column++)
        buffer[column * GROUP] = less_zero(&step, column) * step.scale[column / 16];
}

void multiply_buffered(local const vector *buffer, uint piece, OPERAND const float *activations, sum_t *sum)
{
    for (uint column = 0; column < 64; column++)
        sum[0] = mad(buffer[column * GROUP], activations[piece * 64 + column], sum[0]);
}

void results(const sum_t *sum, float *y)
{
    STORE(sum[0], y);
}
