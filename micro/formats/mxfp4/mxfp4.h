/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FORMATS_MXFP4_MXFP4_H
#define MICRO_FORMATS_MXFP4_MXFP4_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "micro/sequence.h"

/**
 * MXFP4 [OCP Microscaling Formats 1.0] for the C halves of its sequences: blocks of 32 weights along K, each weight a
 * 4-bit float e2m1 (sign, two bits of exponent, one of fraction), each block a scale 2^(e - 127), e a byte (e8m0). B =
 * 16 + 1 bytes an output vector.
 *
 * A group of a sequence is one block of each row that a register of accumulators holds:
 *
 *     [4][rows][k4] bytes of two codes: byte k of row r in register j is column 8j + k (low nibble) and 8j + 4 + k
 * (high) [rows] scales
 *
 * against eight registers of int8 activations, one for each four columns. What it adds to the row's float is
 *
 *     2^(e - 127) sum (2 value) a,     2 value in {0, 1, 2, 3, 4, 6, 8, 12} and their negatives:
 *
 * twice the product; the half belongs to the row's last scaling. The sum in the brackets, at most 32 * 12 * 127, is
 * exact, and so is its product with a power of two: only the float accumulators round. Sequences make the scale by
 * moving e to the exponent of a float, which is exact for e in 1 … 254; e = 0 (2^-127) counts as zero and e = 255 (NaN)
 * as infinity.
 */

/** Twice the value of a code. */
static inline int32_t mxfp4_twice(unsigned code)
{
    unsigned exponent = code >> 1 & 3, fraction = code & 1;
    int32_t twice = exponent ? (int32_t)(2 + fraction) << (exponent - 1) : (int32_t)fraction;
    return code & 8 ? -twice : twice;
}

/** sequence_reference of a group of this many rows. */
static inline void mxfp4_refer(const struct sequence_data *data, unsigned rows, float *sum, double *magnitude)
{
    const int8_t *activations = (const int8_t *)data->activations;
    for (unsigned row = 0; row < rows; row++) {
        double scale = ldexp(1, data->weights[16 * rows + row] - 127);
        int32_t total = 0;
        for (unsigned column = 0; column < 32; column++) {
            unsigned byte = data->weights[(column / 8 * rows + row) * 4 + column % 4];
            int32_t term =
                mxfp4_twice(byte >> column / 4 % 2 * 4 & 15) * activations[(column / 4 * rows + row) * 4 + column % 4];
            total += term;
            if (magnitude)
                magnitude[row] += fabs(term * scale);
        }
        sum[row] += (float)(total * scale);
    }
}

/**
 * sequence_fill: any codes, scales 2^-8 … 2^7, activations -127 … 127, and after the activations int32[rows]
 * -offset * sum of a row's activations, from which a sum of (offset + 2 value) a starts. One seed in four has
 * activations 127 or -127 only, and codes of the largest values.
 */
static inline void mxfp4_fill(unsigned rows, int32_t offset, uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    for (unsigned i = 0; i < 16 * rows; i++) {
        uint64_t random = sequence_random(&state);
        weights[i] = (uint8_t)(seed % 4 ? random : (random & 0x88) | 0x77);
    }
    for (unsigned row = 0; row < rows; row++)
        weights[16 * rows + row] = (uint8_t)(119 + sequence_random(&state) % 16);
    for (unsigned row = 0; row < rows; row++) {
        int32_t start = 0, end = sequence_random(&state) & 1 ? 127 : -127;
        for (unsigned column = 0; column < 32; column++) {
            int32_t a = seed % 4 ? (int32_t)(sequence_random(&state) % 255) - 127 : end;
            activations[(column / 4 * rows + row) * 4 + column % 4] = (uint8_t)a;
            start -= offset * a;
        }
        memcpy(activations + 32 * rows + 4 * row, &start, sizeof start);
    }
}

#endif
