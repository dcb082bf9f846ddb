/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's TL1_0 but for its look-ups: tables quantized to int8 with one scale, from float activations. A look-up is off by half a
 * step, 2 max|a| / 254 at most: 1 / 254 of max|a| a column, twice that of a pair with a column of padding. The including .c has the
 * tables' builder, elut_<isa>.h.
 */
#ifndef MICRO_FORMATS_TL1_QUANTIZED_H
#define MICRO_FORMATS_TL1_QUANTIZED_H

#include <math.h>

#include "micro/families/lookup/lookup_quantized.h"
#include "micro/formats/tl1/layout.h"
#include "micro/kernel.h"

#define TL1_ERROR_BOUND (2.0 / 254 * 1.001)

enum { STEP_TABLES = TL1_STEP_PAIRS * QUANTIZED_TABLE_BYTES };

static size_t prepared_bytes(size_t k)
{
    return QUANTIZED_HEADER_BYTES + k / TL1_STEP_COLUMNS * STEP_TABLES;
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *a = activations;
    struct quantized_tables *tables = prepared;
    uint8_t *table = (uint8_t *)tables->entries;
    struct table_coefficients pairs;
    table_coefficients_make(3, 2, &pairs);
    float factor = quantized_scale(table_largest(a, k, 2), &tables->scale);
    for (size_t i = 0; i < k; i += 2, table += QUANTIZED_TABLE_BYTES)
        table_store_quantized(table, &pairs, 2, a + i, factor);
}

/** Tables of a step. */
static inline const uint8_t *tables_of(const struct gemv_slice *slice, size_t step)
{
    return (const uint8_t *)slice->prepared + QUANTIZED_HEADER_BYTES + step * STEP_TABLES;
}

static struct kernel_row row_of_tables(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct quantized_tables *tables = prepared;
    double y = 0, magnitude = 0;
    for (size_t i = 0; i < k / 2; i++) {
        uint32_t index = (uint32_t)panel[i / 2 * TL1_STEP_BYTES + row] >> i % 2 * 4 & 15u;
        double entry = tables->entries[i * QUANTIZED_TABLE_BYTES + index];
        y += entry;
        magnitude += fabs(entry);
    }
    return (struct kernel_row){(double)tables->scale * y, (double)tables->scale * magnitude};
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct quantized_tables *tables = slice->prepared;
    for (size_t row = 0; row < TL1_ROWS; row++)
        slice->out_f32[panel * TL1_ROWS + row] = tables->scale * (float)sums[row];
}

#endif
