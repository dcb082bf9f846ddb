/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A panel of mixed24 with sparse outliers [mixed-2-4-16, 2.3, 4.3]: mixed24_o02, _o05, _o15 and _o30 keep 0.2, 0.5, 1.5 and 3% of the
 * weights, of 2-bit groups only, as binary16 in compressed sparse rows. k is the columns with their padding, n the entries there
 * is place for.
 *
 *     panel = 16 rows, a multiple of 64 bytes
 *
 *     byte 0                  k / 64 steps of 364 bytes, as mixed24 draws them; then zeros up to a multiple of 64
 *     end[r] (r < 16)         u32, at mixed24_outliers_place(k): entries of rows 0 … r; those of row r are end[r - 1] … end[r] - 1
 *     column[n]               u16, after it: column of the panel, ascending within a row, none twice, none of a 4-bit group
 *     value[n]                binary16, after these: is added to the weight that the codes mean
 *
 *     w = dense + value
 *
 * n = ceil(16 k * ratio), rounded up to 16. Entries from end[15] on are zeros. So a panel stands for itself, as all others do: the
 * paper has one matrix in that form, with a count of 32 bits a row and 32 bits an outlier, which is what these take, too.
 */
#ifndef MICRO_QUANTIZATION_MIXED24_OUTLIERS_LAYOUT_H
#define MICRO_QUANTIZATION_MIXED24_OUTLIERS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "micro/isa/half.h"
#include "micro/quantization/mixed24_layout.h"

/** Where they are in a panel: pointers into it. */
struct mixed24_outliers {
    const uint32_t *end;
    const uint16_t *column, *value;
};

/** Outliers of a panel of k columns: ceil(16 k * per_mille / 1000). */
static inline size_t mixed24_outliers_count(size_t k, uint32_t per_mille)
{
    return (MIXED24_ROWS * k * per_mille + 999) / 1000;
}

/** Entries that there is place for. */
static inline size_t mixed24_outliers_room(size_t k, uint32_t per_mille)
{
    return (mixed24_outliers_count(k, per_mille) + 15) / 16 * 16;
}

/** Byte of a panel where end[] begins. */
static inline size_t mixed24_outliers_place(size_t k)
{
    return (k / MIXED24_COLUMNS * MIXED24_STEP_BYTES + 63) / 64 * 64;
}

static inline size_t mixed24_outliers_panel_bytes(size_t k, uint32_t per_mille)
{
    return mixed24_outliers_place(k) + MIXED24_ROWS * sizeof(uint32_t) +
           mixed24_outliers_room(k, per_mille) * 2 * sizeof(uint16_t);
}

/** Of a panel that is aligned to 64 bytes. */
static inline struct mixed24_outliers mixed24_outliers_of(const uint8_t *panel, size_t k, uint32_t per_mille)
{
    const uint8_t *end = panel + mixed24_outliers_place(k), *column = end + MIXED24_ROWS * sizeof(uint32_t);
    return (struct mixed24_outliers){
        (const uint32_t *)(const void *)end, (const uint16_t *)(const void *)column,
        (const uint16_t *)(const void *)(column + mixed24_outliers_room(k, per_mille) * sizeof(uint16_t))};
}

/** The first entry of a row; its last is the one before end[row]. */
static inline uint32_t mixed24_outliers_first(const struct mixed24_outliers *outliers, uint32_t row)
{
    return row ? outliers->end[row - 1] : 0;
}

/** Whether a column of a panel is one of a 2-bit group. */
static inline int mixed24_outliers_may_be(size_t column)
{
    return column % MIXED24_COLUMNS < 3 * MIXED24_GROUP;
}

/**
 * What outliers add to a row, in double, for row(): the sum of value * activation, and to *magnitude the sum of magnitudes.
 *
 * @param activation  the activation of a column as the kernel's operand has it
 */
static inline double mixed24_outliers_row(const struct mixed24_outliers *outliers, uint32_t row,
                                          double (*activation)(const void *prepared, size_t column),
                                          const void *prepared, double *magnitude)
{
    double sum = 0;
    for (uint32_t i = mixed24_outliers_first(outliers, row); i < outliers->end[row]; i++) {
        double term = (double)half_to_float(outliers->value[i]) * activation(prepared, outliers->column[i]);
        sum += term;
        *magnitude += term < 0 ? -term : term;
    }
    return sum;
}

#endif
