/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

#include "harness/gguf/quality.h"
#include "micro/quantization/calibration.h"
#include "micro/quantization/mixed_quantize.h"

enum { INPUTS_TOKENS_MOST = 8192, INPUTS_TOKENS_A_COLUMN = 8, INPUTS_HELD_OUT_MOST = QUALITY_TOKENS };

/** What a layer is multiplied with: activations that its quantizer is calibrated with, and others that it is judged by. */
struct inputs {
    struct calibration calibration;
    float *x; /* [calibration.tokens + held_out][k], held out tokens last */
    size_t held_out;
};

/**
 * As synthetic_activations() draws them, 8 tokens a column but 8,192 at most, and 64 to judge by.
 * @return as calibrate()
 */
int inputs_draw(size_t k, uint64_t seed, struct inputs *inputs);

/**
 * A user's: the last eighth, 64 at most and one at least, to judge by, all before to calibrate with.
 *
 * @param x  [m tokens][k]; taken over, w NULL afterwards
 * @return as calibrate(); -ENODATA with a single token, too
 */
int inputs_take(struct matrix *x, struct inputs *inputs);

void inputs_free(struct inputs *inputs);

/**
 * Quantize a matrix in 2, 4 and 16 bits, and judge it.
 * @return as quality_between(), -EINVAL where mixed_quantize() does not take it
 */
int mixed_quality_of(const struct matrix *matrix, const struct inputs *inputs, const struct mixed_options *options,
                     struct quality *quality, char *why, size_t size);
