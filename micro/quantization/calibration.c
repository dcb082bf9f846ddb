/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See calibration.h.
 */
#include "micro/quantization/calibration.h"

#include <errno.h>
#include <stdlib.h>

#include "micro/quantization/hessian.h"

static int fill(const float *x, struct calibration *calibration)
{
    const size_t k = calibration->k;
    int error = hessian_add(x, calibration->tokens, k, calibration->factor);
    for (size_t c = 0; c < k && !error; c++)
        calibration->mean_square[c] = calibration->factor[c * k + c] / 2 / (double)calibration->tokens;
    if (!error && !(hessian_damp(calibration->factor, k) > 0))
        error = -ENODATA;
    if (!error)
        error = hessian_invert(calibration->factor, k);
    if (!error)
        hessian_inverse_diagonal(calibration->factor, k, calibration->inverse_diagonal);
    return error;
}

int calibrate(const float *x, size_t tokens, size_t k, struct calibration *calibration)
{
    *calibration = (struct calibration){.k = k, .tokens = tokens};
    if (k < 1 || k > HESSIAN_K_MOST)
        return -EINVAL;
    if (tokens < 1)
        return -ENODATA;
    calibration->mean_square = calloc(k, sizeof *calibration->mean_square);
    calibration->inverse_diagonal = calloc(k, sizeof *calibration->inverse_diagonal);
    calibration->factor = calloc(k * k, sizeof *calibration->factor);
    int error = -ENOMEM;
    if (calibration->mean_square && calibration->inverse_diagonal && calibration->factor)
        error = fill(x, calibration);
    if (error)
        calibration_free(calibration);
    return error;
}

void calibration_free(struct calibration *calibration)
{
    free(calibration->mean_square);
    free(calibration->inverse_diagonal);
    free(calibration->factor);
    *calibration = (struct calibration){0};
}
