/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "micro/quantizer.h"

static float from_bits(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static int8_t quantize(float x, float inverse, int32_t *sum)
{
    int8_t q = (int8_t)lrintf(x * inverse);
    *sum += q;
    return q;
}

static struct quantized begin(float largest, float *inverse)
{
    if (largest < QUANTIZER_LEAST)
        largest = 0;
    *inverse = largest > 0 ? 127.0f / largest : 0.0f;
    return (struct quantized){.scale = largest / 127.0f};
}

static struct quantized from_f32(const float *x, size_t n, int8_t *q)
{
    float largest = 0, inverse;
    for (size_t i = 0; i < n; i++)
        largest = fmaxf(largest, fabsf(x[i]));
    struct quantized result = begin(largest, &inverse);
    for (size_t i = 0; i < n; i++)
        q[i] = quantize(x[i], inverse, &result.sum);
    return result;
}

static struct quantized from_bf16(const uint16_t *x, size_t n, int8_t *q)
{
    float largest = 0, inverse;
    for (size_t i = 0; i < n; i++)
        largest = fmaxf(largest, fabsf(from_bits(x[i])));
    struct quantized result = begin(largest, &inverse);
    for (size_t i = 0; i < n; i++)
        q[i] = quantize(from_bits(x[i]), inverse, &result.sum);
    return result;
}

const struct quantizer SELF = {.name = SELF_NAME, .isa = SELF_ISA, .from_f32 = from_f32, .from_bf16 = from_bf16};
