/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_LAYER_REFERENCE_H
#define MICRO_LAYERS_LAYER_REFERENCE_H

#include "micro/layers/layer.h"

/** What the parts of a layer must give, in double: the definitions of micro/layers/layer.h, one value after the other. */

/** y = gain x / sqrt(mean(x^2) + epsilon); y may be x. */
void layer_reference_norm(const double *x, const float *gain, size_t n, double epsilon, double *y);

/** Value i of a position of keys or values in a cache, of heads of this padded size. */
double layer_reference_cached(enum layer_cache cache, const void *rows, size_t size, bool values, size_t position,
                              size_t i);

/** Let a position have x, byte by byte as layer_kernel.attention.store does. */
void layer_reference_store(enum layer_cache cache, const float *x, size_t size, void *rows, size_t position,
                           bool values);

/** softmax(q K') V of one query head, already scaled; over integers of the query rounded to q8_0. @return 0 or -ENOMEM */
int layer_reference_attention(enum layer_cache cache, const double *query, const void *keys, const void *values,
                              size_t positions, size_t size, double *out);

double layer_reference_gate(enum layer_activation activation, double gate, double up);

/** bf16 as its 16 bits, and the nearest one of a float, to even. */
double layer_from_bf16(uint16_t bits);
uint16_t layer_to_bf16(float value);

#endif
