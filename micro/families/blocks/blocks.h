/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCKS_H
#define MICRO_FAMILIES_BLOCKS_BLOCKS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "micro/sequences/sequence_reference.h"

/**
 * C halves of sequences whose weights come in blocks with scales: what several of them draw, read and add up.
 */

/**
 * Codes and activations of one seed. Of four seeds one has any values, one activations of -127 and 127 only; two have
 * all codes at an end and all activations alike at an end, which gives the largest intermediate sums there are.
 */
static inline void blocks_draw(uint8_t *codes, size_t codes_count, int8_t *activations, size_t activations_count,
                               uint64_t seed)
{
    uint64_t state = seed;
    int8_t end = seed & 4 ? 127 : -127;
    for (size_t i = 0; i < codes_count; i++) {
        uint64_t random = sequence_random(&state);
        codes[i] = seed % 4 < 2 ? (uint8_t)random : seed % 4 == 2 ? 0xff : 0;
    }
    for (size_t i = 0; i < activations_count; i++) {
        uint64_t random = sequence_random(&state);
        int8_t either = random >> 63 ? 127 : -127, any = (int8_t)((int32_t)(random % 255) - 127);
        activations[i] = seed % 4 == 0 ? any : seed % 4 == 1 ? either : end;
    }
}

/** Half-precision scales: either sign, magnitude in [1/4, 4), so that nothing hides behind the tolerance. */
static inline void blocks_draw_scales(uint8_t *scales, size_t count, uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t random = sequence_random(state);
        uint16_t half = (uint16_t)((random >> 63) << 15 | (13 + (random >> 32) % 4) << 10 | (random & 0x3ff));
        memcpy(scales + 2 * i, &half, sizeof half);
    }
}

/** `bits` bits of a weight from bit `position` on; no weight crosses a byte. */
static inline uint32_t blocks_code(const uint8_t *bytes, uint32_t position, uint32_t bits)
{
    return (uint32_t)(bytes[position / 8] >> position % 8) & ((1u << bits) - 1);
}

static inline double blocks_half(const uint8_t *bytes)
{
    uint16_t half;
    memcpy(&half, bytes, sizeof half);
    return (double)reference_f16(half);
}

static inline double blocks_float(const uint8_t *bytes)
{
    float value;
    memcpy(&value, bytes, sizeof value);
    return (double)value;
}

/** `copies` times the same, one after the other: an operand that a 256-bit instruction takes from memory. */
static inline void blocks_put_float(uint8_t *bytes, double value, size_t copies)
{
    float narrow = (float)value;
    for (size_t i = 0; i < copies; i++)
        memcpy(bytes + 4 * i, &narrow, sizeof narrow);
}

static inline void blocks_put_int32(uint8_t *bytes, int32_t value, size_t copies)
{
    for (size_t i = 0; i < copies; i++)
        memcpy(bytes + 4 * i, &value, sizeof value);
}

static inline void blocks_put_int16(uint8_t *bytes, int32_t value)
{
    int16_t narrow = (int16_t)value;
    memcpy(bytes, &narrow, sizeof narrow);
}

/** Adds to a float lane. */
static inline void blocks_add(void *sum, double *magnitudes, uint32_t lane, double value, double magnitude)
{
    float *lanes = sum;
    lanes[lane] = (float)((double)lanes[lane] + value);
    magnitudes[lane] += magnitude;
}

#endif
