/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_CALIBRATION_H
#define MICRO_QUANTIZATION_CALIBRATION_H

#include <stddef.h>

/** What quantizers take from activations that a layer has met: see hessian.h, whose H this is of. */
struct calibration {
    size_t k, tokens;
    double *mean_square; /* [k] of the activations of a column: what an error there costs, other errors being unrelated */
    double *inverse_diagonal; /* [k] of H^-1: 1 over what an error costs once all other columns have made up for it */
    double *factor;           /* N [k][k] */
};

/**
 * @param x  activations [tokens][k], finite; k at most HESSIAN_K_MOST
 * @return 0, -ENOMEM, -EINVAL (k is 0 or too large), or -ENODATA (no tokens, or all activations are zero)
 */
int calibrate(const float *x, size_t tokens, size_t k, struct calibration *calibration);

void calibration_free(struct calibration *calibration);

#endif
