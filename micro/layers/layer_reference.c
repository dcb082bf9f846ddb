/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/layers/layer_reference.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void layer_reference_norm(const double *x, const float *gain, size_t n, double epsilon, double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    double factor = 1 / sqrt(sum / (double)n + epsilon);
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] * factor * (double)gain[i];
}

int layer_reference_attention(const double *query, const uint16_t *keys, const uint16_t *values, size_t positions,
                              size_t size, double *out)
{
    double *score = calloc(positions + 1, sizeof *score), most = -INFINITY, sum = 0;
    if (!score)
        return -ENOMEM;
    for (size_t p = 0; p < positions; p++) {
        for (size_t i = 0; i < size; i++)
            score[p] += query[i] * layer_from_bf16(keys[p * size + i]);
        most = fmax(most, score[p]);
    }
    for (size_t p = 0; p < positions; p++)
        sum += score[p] = exp(score[p] - most);
    memset(out, 0, size * sizeof *out);
    for (size_t p = 0; p < positions; p++) {
        for (size_t i = 0; i < size; i++)
            out[i] += score[p] / sum * layer_from_bf16(values[p * size + i]);
    }
    free(score);
    return 0;
}

double layer_reference_gate(enum layer_activation activation, double gate, double up)
{
    double positive = fmax(gate, 0);
    return activation == LAYER_SILU ? gate / (1 + exp(-gate)) * up : positive * positive * up;
}

double layer_from_bf16(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

uint16_t layer_to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
