/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed_quality.h.
 */
#include "harness/gguf/mixed_quality.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/gguf/synthetic.h"
#include "micro/least.h"

/** @param tokens  that there are */
static int settle(size_t tokens, size_t k, size_t held_out, struct inputs *inputs)
{
    inputs->held_out = held_out;
    int error = calibrate(inputs->x, tokens - held_out, k, &inputs->calibration);
    if (error)
        inputs_free(inputs);
    return error;
}

int inputs_draw(size_t k, uint64_t seed, struct inputs *inputs)
{
    const size_t tokens = least(INPUTS_TOKENS_MOST, INPUTS_TOKENS_A_COLUMN * k) + INPUTS_HELD_OUT_MOST;
    *inputs = (struct inputs){.x = malloc(tokens * k * sizeof *inputs->x)};
    if (!inputs->x)
        return -ENOMEM;
    synthetic_activations(tokens, k, seed, inputs->x);
    return settle(tokens, k, INPUTS_HELD_OUT_MOST, inputs);
}

int inputs_take(struct matrix *x, struct inputs *inputs)
{
    *inputs = (struct inputs){.x = x->w};
    x->w = NULL;
    return settle(x->m, x->k, least(INPUTS_HELD_OUT_MOST, (x->m + 7) / 8), inputs);
}

void inputs_free(struct inputs *inputs)
{
    calibration_free(&inputs->calibration);
    free(inputs->x);
    *inputs = (struct inputs){0};
}

/** As mixed_quantize() takes them. */
static bool are_within_half(const struct matrix *matrix)
{
    for (size_t i = 0; i < matrix->m * matrix->k; i++) {
        if (!(fabsf(matrix->w[i]) < 65504))
            return false;
    }
    return true;
}

int mixed_quality_of(const struct matrix *matrix, const struct inputs *inputs, const struct mixed_options *options,
                     struct quality *quality, char *why, size_t size)
{
    struct mixed_matrix mixed;
    if (!are_within_half(matrix)) {
        snprintf(why, size, "weights of 65504 and more are beyond scales and outliers of 16 bits");
        return -EINVAL;
    }
    float *q = malloc(matrix->m * matrix->k * sizeof *q);
    if (!q)
        return -ENOMEM;
    int error = mixed_quantize(matrix->w, matrix->m, matrix->k, &inputs->calibration, options, &mixed);
    if (error == -EINVAL)
        snprintf(why, size, "%zu columns are no multiple of 16 up to 65536", matrix->k);
    if (!error) {
        const float *held_out = inputs->x + inputs->calibration.tokens * matrix->k;
        mixed_decode(&mixed, q);
        error = quality_between(matrix, q, held_out, inputs->held_out, mixed_bits(&mixed), quality, why, size);
        mixed_free(&mixed);
    }
    free(q);
    return error;
}
