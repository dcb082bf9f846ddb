/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZER_H
#define MICRO_QUANTIZER_H

#include <stddef.h>
#include <stdint.h>

/**
 * Activation quantization, and the way back for the sums that a product of integers gives.
 *
 * Quantization: floating point to int8, symmetric, one scale for the tensor.
 *
 *     scale = max|x| / 127,  q = round_to_nearest_even(x / scale) in [-127, 127],  x ~ q * scale
 *
 * It also gives sum q, which the GEMV's correction needs. Dequantization: the int32 sums of n rows, each with the scale of its
 * weights, and the scale of the activations,
 *
 *     y[row] = (row_scale[row] * scale) * (float)sum[row]
 *
 * in float, each of the three steps rounded to nearest even; to bfloat16 y is rounded once more, likewise. Both are steps of
 * their own with their own time, never hidden in a GEMV.
 */
#define QUANTIZER_LEAST 0x1p-119f /* below it the scale would not be a normal number, nor 127 / max|x| a finite one */

struct quantized {
    float scale; /* 0 if every |x| is below QUANTIZER_LEAST (then every q is 0) */
    int32_t sum; /* of all q */
};

struct quantizer {
    const char *name; /* "per_tensor.<isa>" */
    const char *isa;
    /** n values, any n >= 0; q holds n bytes; NaN and infinity are not allowed. x 4-byte aligned. */
    struct quantized (*from_f32)(const float *x, size_t n, int8_t *q);
    /** bfloat16 as its 16 bits. */
    struct quantized (*from_bf16)(const uint16_t *x, size_t n, int8_t *q);
    /**
     * n sums, any n >= 0, and as many scales, each finite times `scale` as well; y holds n values and overlaps nothing. All 4-byte
     * aligned.
     */
    void (*rows_to_f32)(const int32_t *sums, const float *row_scales, float scale, size_t n, float *y);
    /** Of them bfloat16 as its 16 bits; y 2-byte aligned. A value that rounds past the largest becomes infinity. */
    void (*rows_to_bf16)(const int32_t *sums, const float *row_scales, float scale, size_t n, uint16_t *y);
};

/** All quantizers of this architecture, NULL-terminated. */
const struct quantizer *const *quantizer_all(void);

#endif
