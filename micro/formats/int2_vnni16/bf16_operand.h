/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FORMATS_INT2_VNNI16_BF16_OPERAND_H
#define MICRO_FORMATS_INT2_VNNI16_BF16_OPERAND_H

#include <math.h>
#include <string.h>

#include "micro/isa/half.h"
#include "micro/kernel.h"

/**
 * A token for int2 x BF16 -> BF16 [envelope, III-E, Fig. 3]: BF16 values after a header, in which a kernel may keep m = max|a|. All of it is
 * exact or one IEEE operation:
 *
 *     q = clamp(round(a (127 / m)), +-127),   y = bf16(float(sum w q) (m / 127))
 *
 * and 0 where m < 2^-120, of which 127 / m is no float. The tensor's scale is no part of the matrix, as everywhere here.
 */
enum { BF16_OPERAND_HEADER = 64 };

static inline size_t bf16_operand_bytes(size_t k)
{
    return BF16_OPERAND_HEADER + (k * sizeof(uint16_t) + 63) / 64 * 64;
}

static inline float bf16_operand_factor(float most)
{
    return most >= 0x1p-120f ? 127 / most : 0;
}

static inline float bf16_operand_scale(float most)
{
    return most >= 0x1p-120f ? most / 127 : 0;
}

/** The definition, from the BF16 values; *scale is m / 127. No magnitude: nothing may be rounded otherwise. */
static inline struct kernel_row bf16_operand_row(const struct format *format, const uint8_t *panel, size_t k,
                                                 uint32_t row, const void *prepared, float *scale)
{
    const uint16_t *values = (const uint16_t *)(const void *)((const uint8_t *)prepared + BF16_OPERAND_HEADER);
    float most = 0;
    int32_t sum = 0;
    for (size_t column = 0; column < k; column++)
        most = fmaxf(most, fabsf(bfloat_to_float(values[column])));
    for (uint32_t column = 0; column < k; column++) {
        float q = nearbyintf(bfloat_to_float(values[column]) * bf16_operand_factor(most));
        sum += format->get(panel, row, column) * (int32_t)fmaxf(fminf(q, 127), -127);
    }
    *scale = bf16_operand_scale(most);
    return (struct kernel_row){.y = bfloat_to_float(bfloat_from_float((float)sum * *scale))};
}

#endif
