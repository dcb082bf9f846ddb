/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCES_SEQUENCE_REFERENCE_H
#define MICRO_SEQUENCES_SEQUENCE_REFERENCE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "micro/sequence.h"

/**
 * C half of a gamma sequence whose dot products facts cannot describe. make compiles such a .S file a second time, as C
 * and without any ISA's flags:
 *
 *     #include "micro/sequences/sequence_frame.h"
 *     #ifdef __ASSEMBLER__
 *     ... macros, sequence_functions
 *     #else
 *     void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
 *     ...
 *     #endif
 *
 * It is written from the format's definition, not from the vector code, so that it is a check of it. Its functions
 * carry the name of the file: SELF.
 */
#define sequence_reference SEQUENCE_JOIN(sequence_reference_, SELF)
#define sequence_fill      SEQUENCE_JOIN(sequence_fill_, SELF)

#pragma GCC visibility push(hidden)

/** sequence_reference of struct sequence. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude);

/** sequence_fill of struct sequence: only with FILL_OWN. */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed);

#pragma GCC visibility pop

/** Word and float number `index` of bytes at any alignment. */
static inline uint16_t reference_word(const uint8_t *bytes, size_t index)
{
    uint16_t word;
    memcpy(&word, bytes + index * sizeof word, sizeof word);
    return word;
}

static inline float reference_f32(const uint8_t *bytes, size_t index)
{
    float value;
    memcpy(&value, bytes + index * sizeof value, sizeof value);
    return value;
}

/** Add a term to a float lane of `sum`, and its size to that of `magnitude` if there is one. */
static inline void reference_add(void *sum, double *magnitude, size_t lane, float term)
{
    ((float *)sum)[lane] += term;
    if (magnitude)
        magnitude[lane] += term < 0 ? -(double)term : (double)term;
}

/** Random bytes of any value, for sequence_fill. */
static inline void reference_random_bytes(uint8_t *bytes, size_t length, uint64_t *state)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(sequence_random(state) >> 56);
}

/** Activations -127 … 127, for sequence_fill; half of them at either end. */
static inline void reference_random_int8(int8_t *values, size_t length, uint64_t *state)
{
    for (size_t i = 0; i < length; i++) {
        uint64_t random = sequence_random(state);
        int end = random & 1 ? 127 : -127;
        values[i] = (int8_t)(random & 2 ? end : (int)((random >> 32) % 255) - 127);
    }
}

/** Value of a bfloat16 bit pattern. */
static inline float reference_bf16(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/** Value of an IEEE half-precision bit pattern, exact; subnormals, infinities and NaN too. */
static inline float reference_f16(uint16_t bits)
{
    uint32_t exponent = bits >> 10 & 31u, fraction = bits & 0x3ffu, wide;
    float value;
    if (exponent == 0) {
        value = (float)fraction * 0x1p-24f;
        return bits & 0x8000 ? -value : value;
    }
    wide = (bits & 0x8000u) << 16 | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &wide, sizeof value);
    return value;
}

#endif
