/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCES_MIXED_GROUPS_H
#define MICRO_SEQUENCES_MIXED_GROUPS_H

#include "micro/sequences/blocks.h"

/**
 * C halves of mixed2 and mixed4 [mixed-2-4-16]: groups of 16 weights of a row have a zero point and a scale (1-order),
 * and the scales of 16 adjacent rows are quantized again (2-order; both sizes as in section 6.1):
 *
 *     weight = scale (code - zero),     scale = scale2 (code of the scale - zero2).
 *
 *   mixed2  three groups of 2 bits of 16 rows, 233 bytes: 3 x 16 double words of codes (bits 2 c and 2 c + 1 of double
 *           word r are column c of row r), 16 words (row r: three zeros of 2 bits from bit 0 on, then three scales of
 *           4, 3 and 3 bits), three scale2 as halves, three zero2 as bytes. Zeros and scales of three groups in 16
 *           bits, two of the scales cut to 3 bits, and 2-order zeros padded: section 3.3, memory alignment.
 *   mixed4  one group of 4 bits of 16 rows, 147 bytes: 16 double words with the columns 0 to 7, 16 with the columns 8
 *           to 15, in nibbles (two matrices in the paper: 4 bytes beside the 12 of three 2-bit groups, 4 on their
 *           own), 16 bytes (row r: zero in the low nibble, scale in the high one), scale2 as half, zero2 as byte.
 *
 * The paper multiplies with 16-bit weights restored from these; here they are restored to floats, which x86 multiplies.
 * Activations: a float for each column, then what a sequence makes of them.
 */
struct mixed_groups {
    uint32_t bits, groups; /* of a code; of a row in a block */
};

static const struct mixed_groups mixed_groups2 = {2, 3}, mixed_groups4 = {4, 1};

/** One weight: its value, and the sum of magnitudes that rounding is relative to, the range of codes for its code. */
static inline double mixed_groups_weight(struct mixed_groups format, const uint8_t *block, uint32_t row,
                                         uint32_t column, double *magnitude)
{
    static const uint32_t scale_shifts[3] = {6, 10, 13}, scale_bits[3] = {4, 3, 3};
    uint32_t group = column / 16, in_group = column % 16, code, zero, scale, zero2;
    double scale2;
    if (format.bits == 2) {
        uint32_t word = block[192 + 2 * row] | (uint32_t)block[193 + 2 * row] << 8;
        code = blocks_code(block, 8 * (64 * group + 4 * row) + 2 * in_group, 2);
        zero = word >> 2 * group & 3;
        scale = word >> scale_shifts[group] & ((1u << scale_bits[group]) - 1);
        scale2 = blocks_half(block + 224 + 2 * group);
        zero2 = block[230 + group];
    } else {
        code = blocks_code(block, 8 * (64 * (in_group / 8) + 4 * row) + 4 * (in_group % 8), 4);
        zero = block[128 + row] & 15;
        scale = block[128 + row] >> 4;
        scale2 = blocks_half(block + 144);
        zero2 = block[146];
    }
    *magnitude = fabs(scale2) * (scale + zero2) * ((1u << format.bits) - 1 + zero);
    return scale2 * ((double)scale - zero2) * ((double)code - zero);
}

/** Add `columns` products from `column` on, of the rows `row` …, one a lane. */
static inline void mixed_groups_refer(struct mixed_groups format, const struct sequence_data *data, uint32_t row,
                                      uint32_t lanes, uint32_t column, uint32_t columns, void *sum, double *magnitudes)
{
    for (uint32_t lane = 0; lane < lanes; lane++) {
        double value = 0, magnitude = 0;
        for (uint32_t c = column; c < column + columns; c++) {
            double activation = blocks_float(data->activations + 4 * c), about;
            value += mixed_groups_weight(format, data->weights, row + lane, c, &about) * activation;
            magnitude += about * fabs(activation);
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

/** Draw a block, and the activations of its columns. */
static inline void mixed_groups_fill(struct mixed_groups format, uint8_t *block, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    uint32_t codes = format.bits == 2 ? 224 : 144;
    for (uint32_t i = 0; i < codes; i++)
        block[i] = (uint8_t)sequence_random(&state);
    blocks_draw_scales(block + codes, format.groups, &state);
    for (uint32_t g = 0; g < format.groups; g++)
        block[codes + 2 * format.groups + g] = sequence_random(&state) % 16;
    for (uint32_t c = 0; c < 16 * format.groups; c++) {
        uint8_t half[2];
        blocks_draw_scales(half, 1, &state);
        blocks_put_float(activations + 4 * c, blocks_half(half), 1);
    }
}

/** The sum of the activations of each group. */
static inline void mixed_groups_put_sums(struct mixed_groups format, const uint8_t *activations, uint8_t *sums)
{
    for (uint32_t g = 0; g < format.groups; g++) {
        double sum = 0;
        for (uint32_t c = 16 * g; c < 16 * g + 16; c++)
            sum += blocks_float(activations + 4 * c);
        blocks_put_float(sums + 4 * g, sum, 1);
    }
}

#endif
