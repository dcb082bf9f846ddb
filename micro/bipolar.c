/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See bipolar.h.
 */
#include "micro/bipolar.h"

#include <math.h>

int32_t bipolar_most(uint32_t bits)
{
    return ((int32_t)1 << bits) - 1;
}

bool bipolar_has(int32_t value, uint32_t bits)
{
    return value % 2 != 0 && value >= -bipolar_most(bits) && value <= bipolar_most(bits);
}

int32_t bipolar_from_bits(uint32_t u, uint32_t bits)
{
    return 2 * (int32_t)u - bipolar_most(bits);
}

uint32_t bipolar_to_bits(int32_t value, uint32_t bits)
{
    return (uint32_t)(value + bipolar_most(bits)) / 2;
}

uint32_t bipolar_bits_of_code(uint32_t code, uint32_t bits)
{
    return (code ^ 1u << (bits - 1)) & (uint32_t)bipolar_most(bits);
}

uint32_t bipolar_code_of_bits(uint32_t u, uint32_t bits)
{
    return bipolar_bits_of_code(u, bits);
}

int32_t bipolar_from_signed(int32_t x)
{
    return 2 * x + 1;
}

int32_t bipolar_to_signed(int32_t value)
{
    return (value - 1) / 2;
}

int32_t bipolar_from_unsigned(uint32_t x, uint32_t bits)
{
    return bipolar_from_bits(x, bits);
}

uint32_t bipolar_to_unsigned(int32_t value, uint32_t bits)
{
    return bipolar_to_bits(value, bits);
}

struct affine bipolar_affine_of_signed(struct affine of)
{
    return (struct affine){of.scale / 2, of.zero - of.scale / 2};
}

struct affine bipolar_affine_of_unsigned(struct affine of, uint32_t bits)
{
    return (struct affine){of.scale / 2, of.zero + of.scale / 2 * bipolar_most(bits)};
}

struct affine bipolar_affine_to_signed(struct affine of)
{
    return (struct affine){2 * of.scale, of.zero + of.scale};
}

struct affine bipolar_affine_to_unsigned(struct affine of, uint32_t bits)
{
    return (struct affine){2 * of.scale, of.zero - of.scale * bipolar_most(bits)};
}

double bipolar_output(struct affine weights, double activation_scale, int64_t product, int64_t sum)
{
    return activation_scale * (weights.scale * (double)product + weights.zero * (double)sum);
}

int64_t bipolar_product(const uint8_t *w, uint32_t w_bits, const uint8_t *x, uint32_t x_bits, size_t k)
{
    int64_t product = 0;
    for (size_t i = 0; i < k; i++)
        product += bipolar_from_bits(w[i], w_bits) * bipolar_from_bits(x[i], x_bits);
    return product;
}

struct bipolar_quantized bipolar_quantize(const float *x, size_t k, uint32_t bits, uint8_t *u)
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
