/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operand of bit planes for OpenCL devices, of one token:
 *
 *     float scale, uint32_t columns that count, 8 bytes more
 *     uint64_t [K / 64] [ACTIVATION_BITS + 1]     planes of a step, and which of its columns count
 *
 * What a token becomes is the same as on CPUs: bit_serial_operand.h.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_DEVICE_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_DEVICE_H

#include "micro/families/bit_serial/bit_serial_operand.h"

enum { BITS_DEVICE_HEADER = 16 };

static inline size_t bits_device_bytes(size_t k, uint32_t bits)
{
    return BITS_DEVICE_HEADER + k / BITS_STEP_COLUMNS * (bits + 1) * sizeof(uint64_t);
}

static inline void bits_device_prepare(const void *activations, size_t k, uint32_t bits, void *prepared)
{
    const float *x = activations;
    const struct bits_token token = bits_measure(x, k, bits);
    uint64_t *words = (uint64_t *)(void *)((uint8_t *)prepared + BITS_DEVICE_HEADER);
    memset(prepared, 0, bits_device_bytes(k, bits));
    memcpy(prepared, &token.scale, sizeof token.scale);
    memcpy((uint8_t *)prepared + sizeof token.scale, &token.columns, sizeof token.columns);
    for (size_t step = 0; step < k / BITS_STEP_COLUMNS; step++, words += bits + 1) {
        if (token.scale > 0)
            bits_quantize(x + step * BITS_STEP_COLUMNS, token.scale, bits, words);
        words[bits] = bits_mask(token, step);
    }
}

static inline struct kernel_row bits_device_row(const struct format *format, const uint8_t *panel, size_t k,
                                                uint32_t row, uint32_t bits, const void *prepared)
{
    const uint64_t *words = (const uint64_t *)(const void *)((const uint8_t *)prepared + BITS_DEVICE_HEADER);
    float scale;
    uint32_t columns;
    int64_t sum = 0, magnitude = 0;
    memcpy(&scale, prepared, sizeof scale);
    memcpy(&columns, (const uint8_t *)prepared + sizeof scale, sizeof columns);
    for (uint32_t column = 0; column < columns; column++) {
        const uint64_t *step = words + column / BITS_STEP_COLUMNS * (bits + 1);
        uint32_t u = 0;
        for (uint32_t bit = 0; bit < bits; bit++)
            u |= (uint32_t)(step[bit] >> column % BITS_STEP_COLUMNS & 1) << bit;
        const int64_t term = (int64_t)format_weight(format, panel, k, row, column) * bipolar_from_bits(u, bits);
        sum += term;
        magnitude += term < 0 ? -term : term;
    }
    return (struct kernel_row){(double)scale * (double)sum, (double)scale * (double)magnitude};
}

#endif
