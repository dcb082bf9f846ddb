/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See quality.h.
 */
#include "harness/weights/quality.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct energies {
    double error, weights;               /* weighted */
    double output_error, output_weights; /* of X times them */
};

/** Mean squares of the columns of activations. */
static void importance_of(const float *x, size_t k, double *importance)
{
    for (size_t c = 0; c < k; c++) {
        importance[c] = 0;
        for (size_t t = 0; t < QUALITY_TOKENS; t++)
            importance[c] += (double)x[t * k + c] * (double)x[t * k + c] / QUALITY_TOKENS;
    }
}

/** One row: w is the weights, lost what quantizing took from them. */
static void add_row(const float *w, const float *lost, const float *x, const double *importance, size_t k,
                    struct energies *sum)
{
    for (size_t c = 0; c < k; c++) {
        sum->error += importance[c] * (double)lost[c] * (double)lost[c];
        sum->weights += importance[c] * (double)w[c] * (double)w[c];
    }
    for (size_t t = 0; t < QUALITY_TOKENS; t++) {
        double of_lost = 0, of_weights = 0;
        for (size_t c = 0; c < k; c++) {
            of_lost += (double)(x[t * k + c] * lost[c]);
            of_weights += (double)(x[t * k + c] * w[c]);
        }
        sum->output_error += of_lost * of_lost;
        sum->output_weights += of_weights * of_weights;
    }
}

static void compare(const struct format *format, const struct matrix *matrix, const uint8_t *packed, const float *x,
                    const double *importance, float *lost, struct energies *sum)
{
    size_t panel_bytes = format_panel_bytes(format, matrix->k);
    for (size_t row = 0; row < matrix->m; row++) {
        const uint8_t *panel = packed + row / format->rows_per_panel * panel_bytes;
        const float *w = matrix->w + row * matrix->k;
        for (size_t c = 0; c < matrix->k; c++) {
            double q = format_weight(format, panel, matrix->k, (uint32_t)(row % format->rows_per_panel), (uint32_t)c);
            lost[c] = (float)((double)w[c] - q);
        }
        add_row(w, lost, x, importance, matrix->k, sum);
    }
}

int quality_of(const struct format *format, const struct matrix *matrix, const float *x, struct quality *quality,
               char *why, size_t size)
{
    struct energies sum = {0};
    int error = format_accepts(format, matrix->m, matrix->k, why, size);
    if (error)
        return error;
    uint8_t *packed = malloc(format_packed_bytes(format, matrix->m, matrix->k));
    double *importance = malloc(matrix->k * sizeof *importance);
    float *lost = malloc(matrix->k * sizeof *lost);
    error = packed && importance && lost ? format_pack(format, matrix->w, matrix->m, matrix->k, packed) : -ENOMEM;
    if (!error) {
        importance_of(x, matrix->k, importance);
        compare(format, matrix, packed, x, importance, lost, &sum);
        quality->bits = format_bits_per_weight(format, matrix->m, matrix->k);
        quality->weighted_error = sum.error / sum.weights;
        quality->output_error = sum.output_error / sum.output_weights;
        quality->db_per_bit = -10 * log10(quality->weighted_error) / quality->bits;
        if (!(sum.weights > 0)) {
            error = -EINVAL;
            snprintf(why, size, "all weights are zero");
        }
    }
    free(packed);
    free(importance);
    free(lost);
    return error;
}
