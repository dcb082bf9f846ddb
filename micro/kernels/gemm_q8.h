/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prepare() and row() of a GEMM whose operand is activations quantized by blocks of 32: of one token, what that operand
 * holds of each.
 */
#ifndef MICRO_KERNELS_GEMM_Q8_H
#define MICRO_KERNELS_GEMM_Q8_H

#include <math.h>

#include "micro/kernel.h"
#include "micro/kernels/q8_avx2.h"

extern const struct format SELF_FORMAT;

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_32_make(activations, k, prepared);
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column++) {
        double term = format_weight(&SELF_FORMAT, panel, k, row, column) * q8_32_value(prepared, column);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

#endif
