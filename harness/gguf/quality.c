/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See quality.h.
 */
#include "harness/gguf/quality.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/conversion.h"
#include "micro/quantization/bipolar.h"

struct energies {
    double error, weights;               /* weighted */
    double output_error, output_weights; /* of X times them */
};

/** Mean squares of the columns of activations. */
static void importance_of(const float *x, size_t tokens, size_t k, double *importance)
{
    for (size_t c = 0; c < k; c++) {
        importance[c] = 0;
        for (size_t t = 0; t < tokens; t++)
            importance[c] += (double)x[t * k + c] * (double)x[t * k + c] / (double)tokens;
    }
}

/** One row: w is the weights, lost what quantizing took from them. */
static void add_row(const float *w, const float *lost, const float *x, size_t tokens, const double *importance,
                    size_t k, struct energies *sum)
{
    for (size_t c = 0; c < k; c++) {
        sum->error += importance[c] * (double)lost[c] * (double)lost[c];
        sum->weights += importance[c] * (double)w[c] * (double)w[c];
    }
    for (size_t t = 0; t < tokens; t++) {
        double of_lost = 0, of_weights = 0;
        for (size_t c = 0; c < k; c++) {
            of_lost += (double)(x[t * k + c] * lost[c]);
            of_weights += (double)(x[t * k + c] * w[c]);
        }
        sum->output_error += of_lost * of_lost;
        sum->output_weights += of_weights * of_weights;
    }
}

static bool all_zero(const struct matrix *matrix)
{
    for (size_t i = 0; i < matrix->m * matrix->k; i++) {
        if (matrix->w[i] != 0)
            return false;
    }
    return true;
}

/** Why errors relative to these are no numbers; NULL: they are. */
static const char *fault_of(const struct matrix *matrix, const struct energies *sum)
{
    if (!isfinite(sum->error + sum->weights + sum->output_error + sum->output_weights))
        return "weights or activations are too large for errors to be numbers";
    if (all_zero(matrix))
        return "all weights are zero";
    return sum->weights > 0 && sum->output_weights > 0 ? NULL : "all outputs are zero";
}

int quality_between(const struct matrix *matrix, const float *q, const float *x, size_t tokens, double bits,
                    struct quality *quality, char *why, size_t size)
{
    const size_t k = matrix->k;
    struct energies sum = {0};
    double *importance = malloc(k * sizeof *importance);
    float *lost = malloc(k * sizeof *lost);
    int error = importance && lost ? 0 : -ENOMEM;
    if (!error)
        importance_of(x, tokens, k, importance);
    for (size_t row = 0; row < matrix->m && !error; row++) {
        for (size_t c = 0; c < k; c++)
            lost[c] = (float)((double)matrix->w[row * k + c] - (double)q[row * k + c]);
        add_row(matrix->w + row * k, lost, x, tokens, importance, k, &sum);
    }
    free(importance);
    free(lost);
    if (error)
        return error;
    const char *fault = fault_of(matrix, &sum);
    if (fault) {
        snprintf(why, size, "%s", fault);
        return -EINVAL;
    }
    quality->bits = bits;
    quality->weighted_error = sum.error / sum.weights;
    quality->output_error = sum.output_error / sum.output_weights;
    quality->db_per_bit = -10 * log10(quality->weighted_error) / bits;
    return 0;
}

/** The weights that a packed matrix holds. */
static void decode(const struct format *format, const struct matrix *matrix, const uint8_t *packed, float *q)
{
    const size_t panel_bytes = format_panel_bytes(format, matrix->k);
    for (size_t row = 0; row < matrix->m; row++) {
        const uint8_t *panel = packed + row / format->rows_per_panel * panel_bytes;
        for (size_t c = 0; c < matrix->k; c++)
            q[row * matrix->k + c] =
                (float)format_weight(format, panel, matrix->k, (uint32_t)(row % format->rows_per_panel), (uint32_t)c);
    }
}

bool quality_find(const char *name, struct quantizes_to *to)
{
    const struct format *format = format_find(name);
    const unsigned bits = name[0] == 'w' && name[1] ? (unsigned)(name[1] - '0') : 0;
    if (bits >= 2 && bits <= BIPOLAR_BITS_MOST && !name[2])
        *to = (struct quantizes_to){.name = name, .bipolar_bits = bits};
    else if (format && format->pack)
        *to = (struct quantizes_to){.name = format->name, .format = format};
    else
        return false;
    return true;
}

double quality_bits(const struct quantizes_to *to, size_t m, size_t k)
{
    return to->format ? format_bits_per_weight(to->format, m, k) : conversion_bits(to->bipolar_bits, k);
}

static int quality_of_bipolar(uint32_t bits, const struct matrix *matrix, const float *x, struct quality *quality,
                              char *why, size_t size)
{
    float *q = malloc(matrix->m * matrix->k * sizeof *q);
    int error = q ? conversion_weights(matrix, bits, q) : -ENOMEM;
    if (!error)
        error = quality_between(matrix, q, x, QUALITY_TOKENS, conversion_bits(bits, matrix->k), quality, why, size);
    free(q);
    return error;
}

int quality_of(const struct quantizes_to *to, const struct matrix *matrix, const float *x, struct quality *quality,
               char *why, size_t size)
{
    const struct format *format = to->format;
    if (!format)
        return quality_of_bipolar(to->bipolar_bits, matrix, x, quality, why, size);
    int error = format_accepts(format, matrix->m, matrix->k, why, size);
    if (error)
        return error;
    uint8_t *packed = malloc(format_packed_bytes(format, matrix->m, matrix->k));
    float *q = malloc(matrix->m * matrix->k * sizeof *q);
    error = packed && q ? format_pack(format, matrix->w, matrix->m, matrix->k, packed) : -ENOMEM;
    if (!error) {
        decode(format, matrix, packed, q);
        error = quality_between(matrix, q, x, QUALITY_TOKENS, format_bits_per_weight(format, matrix->m, matrix->k),
                                quality, why, size);
    }
    free(packed);
    free(q);
    return error;
}
