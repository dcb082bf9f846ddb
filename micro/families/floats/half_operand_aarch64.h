/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations rounded to 16-bit floats, of one token, and what a row of such weights makes of them. The including file defines, before it,
 *
 *   half_factor(most)   power of two that activations are multiplied with before they are rounded, of the largest magnitude
 *   half_round(x)       uint16_t, to nearest even
 *   half_value(bits)    and back
 *
 *     operand = 1 / factor, at byte 0; from byte 64 on 16 bits a column
 */
#ifndef MICRO_FAMILIES_FLOATS_HALF_OPERAND_AARCH64_H
#define MICRO_FAMILIES_FLOATS_HALF_OPERAND_AARCH64_H

#include <math.h>
#include <string.h>

#include "micro/isa/half.h"
#include "micro/kernel.h"

enum { HALF_HEADER = 64 };

extern const struct format SELF_FORMAT;

static size_t prepared_bytes(size_t k)
{
    return HALF_HEADER + k * sizeof(uint16_t);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    uint16_t *to = (uint16_t *)(void *)((uint8_t *)prepared + HALF_HEADER);
    float most = 0;
    for (size_t column = 0; column < k; column++)
        most = fabsf(x[column]) > most ? fabsf(x[column]) : most;
    float factor = half_factor(most), inverse = 1 / factor;
    memset(prepared, 0, HALF_HEADER);
    memcpy(prepared, &inverse, sizeof inverse);
    for (size_t column = 0; column < k; column++)
        to[column] = half_round(x[column] * factor);
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const uint16_t *halves = (const uint16_t *)(const void *)((const uint8_t *)prepared + HALF_HEADER);
    struct kernel_row sum = {0};
    float inverse;
    memcpy(&inverse, prepared, sizeof inverse);
    for (uint32_t column = 0; column < k; column++) {
        double term =
            format_weight(&SELF_FORMAT, panel, k, row, column) * (double)half_value(halves[column]) * (double)inverse;
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

#endif
