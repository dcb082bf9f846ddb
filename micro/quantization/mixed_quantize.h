/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_MIXED_QUANTIZE_H
#define MICRO_QUANTIZATION_MIXED_QUANTIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/quantization/calibration.h"
#include "micro/quantization/mixed_choice.h"
#include "micro/quantization/mixed_outliers.h"

/**
 * The quantizer of the mixed 2/4/16-bit family [mixed-2-4-16, 3.3, 4.3], of one matrix:
 *
 *   1. groups of 16 columns by sensitivity: a share of them 4 bits, the others 2                           mixed_choice.h
 *   2. scales of a third of the 2-bit groups 4 bits, those of the others 3: where 4 take most off the loss
 *   3. outliers of 2-bit groups, the same number of every 16 rows                                          mixed_outliers.h
 *   4. scales and zeros of 16 rows by minimum and maximum without the outliers; codes for the scales as they are decoded   mixed24.h
 *   5. with error feedback [GPTQ], column after column from the last to the first: what a column loses is taken off those before it,
 *      as hessian_invert() says, and a group's scales are fitted to what they have become
 *
 * With a quarter of the groups in 4 bits the result is a matrix of the format mixed24 (mixed_pack_testing.h); other shares have no packed form
 * here, and are weights to compare.
 * The finetuning that the paper adds (quantization aware training) is not done.
 */
struct mixed_options {
    double four_bit; /* share of groups in 4 bits, 0 ... 1 */
    double outliers; /* of weights, 0 ... 0.1; of the capacity of 16 rows, rounded up */
    enum mixed_outlier_choice choice;
    bool error_feedback;
};

/** 16 rows by 16 columns that share a scale of the second order. Rows past M hold zeros. */
struct mixed_tile {
    uint8_t code[16][16]; /* of row, column: 0 ... 3, or 0 ... 15 */
    uint8_t zero[16];     /* of a 2-bit group's rows */
    uint8_t scale[16];
    uint16_t scale2; /* binary16 */
    int8_t zero2;
};

struct mixed_outlier {
    uint16_t column, value; /* of the matrix, not yet permuted; binary16: what the dense weight lacks */
};

struct mixed_matrix {
    size_t m, k, groups;           /* groups of columns: k / 16 */
    uint8_t *kind;                 /* [groups] enum mixed_kind */
    struct mixed_tile *tile;       /* [ceil(m / 16)][groups] */
    uint32_t *outlier_end;         /* [m]: outliers up to and including row r */
    struct mixed_outlier *outlier; /* by row, then column */
    size_t outlier_capacity;       /* of 16 rows */
};

/**
 * @param w            [m][k], finite, below 65504; k a multiple of 16, at most 65536
 * @param calibration  of k columns; its factor is read with error feedback alone
 * @return 0, -ENOMEM, or -EINVAL: sizes or options that are none of the above
 */
int mixed_quantize(const float *w, size_t m, size_t k, const struct calibration *calibration,
                   const struct mixed_options *options, struct mixed_matrix *matrix);

void mixed_free(struct mixed_matrix *matrix);

/** The weights it stands for, outliers included: w[m][k]. */
void mixed_decode(const struct mixed_matrix *matrix, float *w);

/**
 * Bits of a weight, all of its parts counted: codes, zeros and scales of both orders, 32 for each outlier there is and 32 a row of them. Padding of
 * incomplete steps or rows is not.
 *
 *     Eq. (10) (r): a (2 + (2 + 10/3) / 16 + 24 / 256) + (1 - a) (4 + 24 / 256),  a the share of 2-bit groups, a multiple of three
 */
double mixed_bits(const struct mixed_matrix *matrix);

#endif
