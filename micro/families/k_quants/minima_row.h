/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row() of kernels whose weights are a code times a scale less a minimum: the two are terms of their own, which may cancel in a
 * weight. The including file defines
 *
 *   BLOCK_COLUMNS, BLOCK_BYTES              of a block of a panel
 *   MINIMA_ACTIVATION(prepared, column)     what the operand holds of a column
 *   MINIMA_MINIMUM(block, row, column)      the minimum, in weights, of a column of the block of a panel
 *   MINIMA_COLUMNS                          that have the same one
 */
#ifndef MICRO_FAMILIES_K_QUANTS_MINIMA_ROW_H
#define MICRO_FAMILIES_K_QUANTS_MINIMA_ROW_H

#include <math.h>

#include "micro/kernel.h"

extern const struct format SELF_FORMAT;

static struct kernel_row minima_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    double minimum = 0;
    for (uint32_t column = 0; column < k; column++) {
        const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
        if (column % MINIMA_COLUMNS == 0)
            minimum = MINIMA_MINIMUM(block, row, column % BLOCK_COLUMNS);
        double weight = format_weight(&SELF_FORMAT, panel, k, row, column), a = MINIMA_ACTIVATION(prepared, column);
        sum.y += weight * a;
        sum.magnitude += (fabs(weight + minimum) + fabs(minimum)) * fabs(a);
    }
    return sum;
}

#endif
