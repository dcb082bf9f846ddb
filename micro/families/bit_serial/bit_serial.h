/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_H

#include "micro/sequences/sequence_reference.h"

/**
 * C half of bit-serial sequences: weights of WEIGHT_BITS and activations of ACTIVATION_BITS bits, both bipolar,
 *
 *     x = sum over i of (2 x(i) - 1) 2^i                                                           [apt-llm, III-A]
 *
 * each bit a plane of its own: register r of plane i holds bit i of this many successive elements of one row. The lower
 * half of a 64-bit lane of an accumulator takes the products of the bits in that lane; the upper half stays zero.
 */
static inline int32_t bit_serial_value(const uint8_t *planes, unsigned bits, unsigned plane_bytes, unsigned bit)
{
    int32_t value = 0;
    for (unsigned i = 0; i < bits; i++)
        value += planes[i * plane_bytes + bit / 8] >> bit % 8 & 1 ? 1 << i : -(1 << i);
    return value;
}

/**
 * Planes coded by running exclusive ors: register r of a plane holds the exclusive or of registers 3 (r / 3) to r.
 * Decodes `registers` registers of `vector_bytes`.
 */
static inline void bit_serial_decode(const uint8_t *coded, uint8_t *planes, unsigned registers, unsigned vector_bytes)
{
    for (unsigned i = 0; i < registers * vector_bytes; i++)
        planes[i] = i / vector_bytes % 3 ? coded[i] ^ coded[i - vector_bytes] : coded[i];
}

static inline void bit_serial_refer(const struct sequence_data *data, unsigned weight_bits, unsigned activation_bits,
                                    unsigned registers, unsigned vector_bytes, void *sum)
{
    unsigned plane_bytes = registers * vector_bytes;
    int32_t *lanes = sum;
    for (unsigned bit = 0; bit < 8 * plane_bytes; bit++)
        lanes[bit / 64 % (vector_bytes / 8) * 2] +=
            bit_serial_value(data->weights, weight_bits, plane_bytes, bit) *
            bit_serial_value(data->activations, activation_bits, plane_bytes, bit);
}

#endif
