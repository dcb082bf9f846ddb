/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operand of kernels whose tables are quantized to int8 with one scale for all: a line with the scale, then the tables.
 */
#ifndef MICRO_FAMILIES_LOOKUP_LOOKUP_QUANTIZED_H
#define MICRO_FAMILIES_LOOKUP_LOOKUP_QUANTIZED_H

#include <float.h>
#include <stdint.h>

enum { QUANTIZED_HEADER_BYTES = 64, QUANTIZED_TABLE_BYTES = 16 };

struct quantized_tables {
    float scale;  /* of an entry */
    float offset; /* added to every result; 0 where the format is symmetric */
    int32_t unused[14];
    int8_t entries[];
} __attribute__((aligned(64)));

/**
 * Scale for sums up to `largest`. @return what sums are multiplied with; 0 where they are too small for a normal scale
 */
static inline float quantized_scale(float largest, float *scale)
{
    float least = 127 * FLT_MIN;
    *scale = largest < least ? 0 : largest / 127;
    return largest < least ? 0 : 127 / largest;
}

#endif
