/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit planes of WEIGHT_BITS times planes of ACTIVATION_BITS, by exclusive or and popcount, as bit_serial_layout.h draws weights and
 * bit_serial_device.h activations. A piece is 64 columns: a word a bit and lane, which is a row. A work-item has WIDTH neighbouring rows.
 */
#define SUMS            1
#define RESULTS         WIDTH
#define PIECE_COLUMNS   64
#define ROW_OF(item, r) ((item)*WIDTH + (r))
#if WIDTH == 1
typedef int sum_t;
#define WORDS(p)         (*(p))
#define COUNT_OF(words)  ((int)popcount(words))
#define STORE(counts, p) (*(p) = (counts))
#else
typedef JOIN(int, WIDTH) sum_t;
#define WORDS(p)         JOIN(vload, WIDTH)(0, p)
#define COUNT_OF(words)  JOIN(convert_int, WIDTH)(popcount(words))
#define STORE(counts, p) JOIN(vstore, WIDTH)(counts, 0, p)
#endif
/** From differing bits, by what they count for, to a result: a token's scale and the columns that count come first. */
#define MOST(bits) ((1 << (bits)) - 1)
#define FINISH(differing, t)                                                                                           \
    (((global const float *)GIVEN(t))[0] *                                                                             \
     (float)(((global const int *)GIVEN(t))[1] * MOST(WEIGHT_BITS) * MOST(ACTIVATION_BITS) - 2 * (differing)))
#define OPERAND_HEAD  2
#define OPERAND_PIECE (ACTIVATION_BITS + 1)

typedef struct {
    vector plane[WEIGHT_BITS];
} piece_t;

piece_t load(global const uchar *panel, uint piece, uint item)
{
    piece_t loaded;
    global const ulong *words = (global const ulong *)panel + (size_t)piece * WEIGHT_BITS * LANES + item * WIDTH;
#pragma unroll
    for (uint i = 0; i < WEIGHT_BITS; i++)
        loaded.plane[i] = WORDS(words + i * LANES);
    return loaded;
}

piece_t turn(piece_t piece, uint by)
{
#pragma unroll
    for (uint i = 0; i < WEIGHT_BITS; i++)
        piece.plane[i] ^= (ulong)by;
    return piece;
}

void multiply(piece_t weights, uint piece, OPERAND const ulong *activations, sum_t *sum)
{
    OPERAND const ulong *x = activations + 2 + piece * (ACTIVATION_BITS + 1);
    const ulong mask = x[ACTIVATION_BITS];
#pragma unroll
    for (uint j = 0; j < ACTIVATION_BITS; j++) {
#pragma unroll
        for (uint i = 0; i < WEIGHT_BITS; i++)
            sum[0] += COUNT_OF((weights.plane[i] ^ x[j]) & mask) << (int)(i + j);
    }
}

void results(const sum_t *sum, int *y)
{
    STORE(sum[0], y);
}
