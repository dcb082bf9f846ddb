/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_LAYER_REFERENCE_H
#define MICRO_LAYERS_LAYER_REFERENCE_H

#include "micro/layers/layer.h"

/** What the parts of a layer must give, in double: the definitions of micro/layers/layer.h, one value after the other. */

/** y = gain x / sqrt(mean(x^2) + epsilon); y may be x. */
void layer_reference_norm(const double *x, const float *gain, size_t n, double epsilon, double *y);

/** softmax(q K') V of one query head, already scaled. @return 0 or -ENOMEM */
int layer_reference_attention(const double *query, const uint16_t *keys, const uint16_t *values, size_t positions,
                              size_t size, double *out);

double layer_reference_gate(enum layer_activation activation, double gate, double up);

/** bf16 as its 16 bits, and the nearest one of a float, to even. */
double layer_from_bf16(uint16_t bits);
uint16_t layer_to_bf16(float value);

#endif
