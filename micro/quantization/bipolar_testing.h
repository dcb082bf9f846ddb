/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_BIPOLAR_TESTING_H
#define MICRO_QUANTIZATION_BIPOLAR_TESTING_H

#include <math.h>
#include <stddef.h>

#include "micro/quantization/bipolar.h"

/** For tests: what kernels of bit planes must give, written from the definition. */

/** sum W' x' from bits, exact. W, x: k bytes of bits each, of w_bits and x_bits. */
static inline int64_t bipolar_product(const uint8_t *w, uint32_t w_bits, const uint8_t *x, uint32_t x_bits, size_t k)
{
    int64_t product = 0;
    for (size_t i = 0; i < k; i++)
        product += bipolar_from_bits(w[i], w_bits) * bipolar_from_bits(x[i], x_bits);
    return product;
}

struct bipolar_quantized {
    float scale; /* s_x; 0 if every |x| is below BIPOLAR_LEAST (then every x' is 1, since there is no 0) */
    int32_t sum; /* sum x' of all k; k below 2^23 */
};

/**
 * The activations of a token as BIPOLAR_LEAST in bipolar.h says.
 * @param x  k floats
 * @param u  k bytes
 */
static inline struct bipolar_quantized bipolar_quantize(const float *x, size_t k, uint32_t bits, uint8_t *u)
{
    const float most = (float)bipolar_most(bits);
    float largest = 0;
    for (size_t i = 0; i < k; i++)
        largest = fmaxf(largest, fabsf(x[i]));
    struct bipolar_quantized quantized = {.scale = largest < BIPOLAR_LEAST ? 0 : largest / most};
    for (size_t i = 0; i < k; i++) {
        float rounded = rintf((x[i] / quantized.scale + most) / 2);
        u[i] = (uint8_t)(quantized.scale > 0 ? fminf(fmaxf(rounded, 0), most) : (float)(1u << (bits - 1)));
        quantized.sum += bipolar_from_bits(u[i], bits);
    }
    return quantized;
}

#endif
