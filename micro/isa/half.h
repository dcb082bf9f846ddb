/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 16-bit floating point in plain C, for definitions and packing: kernels use their ISA's conversions.
 */
#ifndef MICRO_ISA_HALF_H
#define MICRO_ISA_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t half_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float half_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** IEEE binary16 to binary32: exact. */
static inline float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    if (exponent == 0x1f)
        return half_float_of(sign | 0x7f800000 | fraction << 13);
    if (exponent == 0) {
        float magnitude = (float)fraction * 0x1p-24f;
        return half_float_of(sign | half_bits_of(magnitude));
    }
    return half_float_of(sign | (exponent + 112) << 23 | fraction << 13);
}

/** Of two bytes at any address. */
static inline float half_float_at(const void *bytes)
{
    uint16_t half;
    memcpy(&half, bytes, sizeof half);
    return half_to_float(half);
}

/** binary32 to binary16, to nearest even; too large becomes infinity. */
static inline uint16_t half_from_float(float value)
{
    uint32_t bits = half_bits_of(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return (uint16_t)(sign | 0x7e00);
    if (magnitude >= 0x47800000) /* 65536 */
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000) { /* below 2^-14: the adder rounds at the place of 2^-24 */
        uint32_t rounded = half_bits_of(half_float_of(magnitude) + 0.5f);
        return (uint16_t)(sign | (rounded - 0x3f000000));
    }
    uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return (uint16_t)(sign | (rounded - (112u << 23)) >> 13);
}

/** bfloat16 is the upper half of binary32. */
static inline float bfloat_to_float(uint16_t bfloat)
{
    return half_float_of((uint32_t)bfloat << 16);
}

/** To nearest even. */
static inline uint16_t bfloat_from_float(float value)
{
    uint32_t bits = half_bits_of(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
