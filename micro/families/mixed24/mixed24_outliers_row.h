/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row() of kernels of mixed24 with outliers: the dense weights times the quantized activations, and the outliers times these or the
 * activations as they came, terms of their own.
 */
#ifndef MICRO_FAMILIES_MIXED24_MIXED24_OUTLIERS_ROW_H
#define MICRO_FAMILIES_MIXED24_MIXED24_OUTLIERS_ROW_H

#include <math.h>

#include "micro/families/mixed24/mixed24_operand.h"
#include "micro/quantization/mixed24.h"
#include "micro/quantization/mixed24_outliers_layout.h"

/**
 * @param blocks      of k columns
 * @param activation  that an outlier of a column multiplies, of `from`
 */
static inline struct kernel_row mixed24_row_with(const uint8_t *panel, size_t k, uint32_t row, uint32_t per_mille,
                                                 const struct mixed24_operand *blocks,
                                                 double (*activation)(const void *from, size_t column),
                                                 const void *from)
{
    struct kernel_row sum = {0};
    for (size_t column = 0; column < k; column++) {
        const uint8_t *step = panel + column / MIXED24_COLUMNS * MIXED24_STEP_BYTES;
        double term = mixed24_weight_at(step, row, column % MIXED24_COLUMNS) * mixed24_activation(blocks, column);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    struct mixed24_outliers outliers = mixed24_outliers_of(panel, k, per_mille);
    sum.y += mixed24_outliers_row(&outliers, row, activation, from, &sum.magnitude);
    return sum;
}

#endif
