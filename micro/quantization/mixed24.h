/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_MIXED24_H
#define MICRO_QUANTIZATION_MIXED24_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/quantization/mixed24_layout.h"

/**
 * Weights of 2 and of 4 bits in one matrix, with second-order scales [mixed-2-4-16, 2.2, 3.3]. A step is 16 rows x 64 columns: three
 * groups of 16 columns in codes of 2 bits, then one in codes of 4 bits.
 *
 *     2 bits   w = scale2_g (scale_gr - zero2_g) (code - zero_gr)     (3), (5), of row r and group g
 *     4 bits   w = scale2_3 (code - zero2_3)                          one scale and zero for 16 x 16 weights
 *
 * Zeros zero_gr have 2 bits; scales scale_gr are themselves codes, of 4, 3 and 3 bits in groups 0, 1 and 2 ("scale clipping"), which
 * the 16 rows share a binary16 scale2_g and an integer zero2_g for. The equations (2) to (5) are reconstructed: the paper's text lost them.
 * That the 4-bit groups have a scale and a zero for 16 x 16 weights alone is what its 2.84 bits follow from.
 *
 * zero2 fills a byte of which the paper needs 4 bits, unsigned ("zero padding"). Here the byte is signed: scales are all positive,
 * and a zero2 below 0 lets their codes begin at the least scale instead of at 0. Values 0 … 15 are those of the paper. In
 * -112 … 15, scale - zero2 fits a signed byte.
 *
 * All of it is pure. What chooses the 4-bit groups, calibrates and feeds errors back, calls these functions.
 */
enum { MIXED24_GROUPS = 4, MIXED24_GROUPS2 = 3 };

/** Bits of a scale in group 0, 1, 2. */
extern const uint8_t mixed24_scale_bits[MIXED24_GROUPS2];

/** What the bytes of a step say. */
struct mixed24_step {
    uint8_t code[MIXED24_ROWS][MIXED24_COLUMNS];  /* 0 … 3 in columns 0 … 47, 0 … 15 in 48 … 63 */
    uint8_t zero[MIXED24_GROUPS2][MIXED24_ROWS];  /* 0 … 3 */
    uint8_t scale[MIXED24_GROUPS2][MIXED24_ROWS]; /* 0 … 15, 0 … 7, 0 … 7 */
    uint16_t scale2[MIXED24_GROUPS];              /* binary16, finite */
    int8_t zero2[MIXED24_GROUPS];                 /* MIXED24_ZERO2_LEAST … MIXED24_ZERO2_MOST; the last 0 … 15 */
};

/** Write a step as mixed24 has it: MIXED24_STEP_BYTES bytes, every one. */
void mixed24_put_step(const struct mixed24_step *step, uint8_t *bytes);

/** Read it back. */
void mixed24_get_step(const uint8_t *bytes, struct mixed24_step *step);

/** Zeros and scales of a row's 2-bit groups in 16 bits, as drawn, and back. */
uint16_t mixed24_word(const struct mixed24_step *step, uint32_t row);
void mixed24_take_word(uint16_t word, uint32_t row, struct mixed24_step *step);

/** The weight that a code of a group (0 … 3) means, with the row's word and the group's scale2 and zero2. */
double mixed24_weight_of(uint32_t code, uint32_t group, uint16_t word, uint16_t scale2, int8_t zero2);

/**
 * Draw the bytes of a step: codes, zeros and scales of any bits; scale2 of either sign, so that weights of 2 and of 4 bits are of the
 * magnitude of matrices (1/64).
 */
void mixed24_fill_step(uint8_t *bytes, uint64_t *random);

/** The scale of row `row` in the 2-bit group `group` (0 … 2), or that of the 4-bit group (3), which is one for all rows. */
double mixed24_scale(const struct mixed24_step *step, uint32_t group, uint32_t row);

/** The zero that goes with it: zero, or of the 4-bit group zero2. */
int32_t mixed24_zero(const struct mixed24_step *step, uint32_t group, uint32_t row);

/** Weight at a row and column, exact. */
double mixed24_weight(const struct mixed24_step *step, uint32_t row, uint32_t column);

/** The same of a step's bytes. */
double mixed24_weight_at(const uint8_t *bytes, uint32_t row, uint32_t column);

/**
 * Minimum and maximum to a scale and an integer zero (2), (3) (r): the range, widened to include 0, in 2^bits - 1 steps.
 *
 * @param w      [count], finite; leave out what becomes an outlier
 * @param scale  >= 0; 0 if all weights are 0
 * @param zero   0 … 2^bits - 1, the code of weight 0
 */
void mixed24_range(const float *w, size_t count, uint32_t bits, float *scale, int32_t *zero);

/** The code whose weight scale (code - zero) is nearest; that of 0 where the scale is 0. Any sign of the scale. */
uint32_t mixed24_code(float w, double scale, int32_t zero, uint32_t bits);

/**
 * Second order, (4), (5) (r): the scales of 16 rows from their least to their largest in 2^bits - 1 steps, without those that are 0,
 * whose rows are zeros at any scale.
 *
 * @param scale   [16], finite, >= 0
 * @param bits    of a code
 * @param code    [16], 0 … 2^bits - 1
 * @param scale2  binary16; 0 if all scales are 0, otherwise neither 0 nor infinite
 * @param zero2   MIXED24_ZERO2_LEAST … 0
 */
void mixed24_encode_scales(const float *scale, uint32_t bits, uint8_t *code, uint16_t *scale2, int8_t *zero2);

/**
 * Quantize a step without calibration: mixed24_range() of each row and group, mixed24_encode_scales() of each group, codes for
 * the scales as they are decoded; the 4-bit group by mixed24_range() of its 256 weights. A row of zeros stays one.
 *
 * @param w        [16 rows][stride], finite
 * @param stride   floats from one row to the next, >= 64
 * @param outlier  [16 rows][64], weights that ranges are fitted without, though they get the nearest code; NULL: none
 */
void mixed24_quantize(const float *w, size_t stride, const bool *outlier, struct mixed24_step *step);

/** Of mixed24_quantize(), one group (0 … 3): its parameters and codes in *step. w and outlier as there, of the step's first column. */
void mixed24_quantize_group(const float *w, size_t stride, const bool *outlier, uint32_t group,
                            struct mixed24_step *step);

#endif
