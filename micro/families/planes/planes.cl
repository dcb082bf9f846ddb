/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unsigned codes in PLANES fields of a byte, as micro/formats/int2_vnni4/format.c draws them. A piece is four columns: a word a lane, whose
 * field p is of row p * LANES + lane. A work-item has WIDTH neighbouring lanes.
 */
#define SUMS            PLANES
#define RESULTS         (PLANES * WIDTH)
#define PIECE_COLUMNS   4
#define ROW_OF(item, r) ((r) / WIDTH * LANES + (item)*WIDTH + (r) % WIDTH)
#define FIELD_BITS      (8 / PLANES)
#define FIELDS          (0x01010101u * ((1u << FIELD_BITS) - 1))

piece_t load(global const uchar *panel, uint piece, uint item)
{
    return READ((global const uint *)panel + piece * LANES + item * WIDTH);
}

void multiply(piece_t words, uint piece, OPERAND const char *activations, sum_t *sum)
{
    const uint a = ((OPERAND const uint *)activations)[piece];
#pragma unroll
    for (uint p = 0; p < PLANES; p++)
        sum[p] += dot_all(words >> p * FIELD_BITS & FIELDS, a);
}

void results(const sum_t *sum, int *y)
{
    for (uint p = 0; p < PLANES; p++)
        WRITE(sum[p], y + p * WIDTH);
}
