/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZER_H
#define MICRO_QUANTIZER_H

#include <stddef.h>
#include <stdint.h>

/**
 * Activation quantization: floating point to int8, symmetric, one scale for the tensor.
 *
 *     scale = max|x| / 127,  q = round_to_nearest_even(x / scale) in [-127, 127],  x ~ q * scale
 *
 * A step of its own with its own time, never hidden in a GEMV. It also gives sum q, which the GEMV's correction needs.
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
};

/** All quantizers of this architecture, NULL-terminated. */
const struct quantizer *const *quantizer_all(void);

#endif
