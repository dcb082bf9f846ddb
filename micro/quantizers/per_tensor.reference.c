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

static float row_value(int32_t sum, float row_scale, float scale)
{
    return row_scale * scale * (float)sum;
}

static void rows_to_f32(const int32_t *sums, const float *row_scales, float scale, size_t n, float *y)
{
    for (size_t row = 0; row < n; row++)
        y[row] = row_value(sums[row], row_scales[row], scale);
}

static void rows_to_bf16(const int32_t *sums, const float *row_scales, float scale, size_t n, uint16_t *y)
{
    for (size_t row = 0; row < n; row++) {
        float value = row_value(sums[row], row_scales[row], scale);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        y[row] = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16); /* half a unit; of a tie only where it is odd */
    }
}

const struct quantizer SELF = {.name = SELF_NAME,
                               .isa = SELF_ISA,
                               .from_f32 = from_f32,
                               .from_bf16 = from_bf16,
                               .rows_to_f32 = rows_to_f32,
                               .rows_to_bf16 = rows_to_bf16};
