/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/gguf/npy.h"
#include "micro/kernel.h"

enum { QUALITY_TOKENS = 64 };

/** What a format's quantizer leaves of a matrix. Errors are energies, relative to those of what is approximated. */
struct quality {
    double bits;           /* of a weight, scales and padding included */
    double weighted_error; /* sum_c h_c (w - q)^2 / sum_c h_c w^2, h_c the mean square of the activations of a column */
    double output_error;   /* |X (W - Q)^T|^2 / |X W^T|^2, in the Frobenius norm */
    double
        db_per_bit; /* -10 log10(weighted_error) / bits; 20 log10(2) = 6.02 is what a bit is worth at most; infinite if nothing is lost */
};

/**
 * Hold weights against what became of them.
 *
 * @param q  [m][k], as matrix->w
 * @param x  activations [tokens][k]
 * @return 0 or -ENOMEM; -EINVAL with one line in why (of `size` bytes): all weights or all outputs are zero, or errors are no finite
 *         numbers
 */
int quality_between(const struct matrix *matrix, const float *q, const float *x, size_t tokens, double bits,
                    struct quality *quality, char *why, size_t size);

/** What weights can become: a format that packs, or bipolar integers with a scale and a zero a row. */
struct quantizes_to {
    const char *name;            /* "q4_0"; "w4": bipolar integers of 4 bits */
    const struct format *format; /* NULL: bipolar */
    uint32_t bipolar_bits;       /* 2 to 8 */
};

/** @return whether weights can be quantized to what has this name */
bool quality_find(const char *name, struct quantizes_to *to);

/** Bits of a weight of a matrix, scales and padding included. */
double quality_bits(const struct quantizes_to *to, size_t m, size_t k);

/**
 * Quantize a matrix and hold it against what it was.
 *
 * @param x  activations [QUALITY_TOKENS][k], see synthetic_activations
 * @return 0, -ENOMEM, or -EINVAL with one line in why (of `size` bytes): the format does not hold such a matrix, or as above
 */
int quality_of(const struct quantizes_to *to, const struct matrix *matrix, const float *x, struct quality *quality,
               char *why, size_t size);
