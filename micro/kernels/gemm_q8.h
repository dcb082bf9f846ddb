/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prepare() and row() of a GEMM whose operand is activations quantized by blocks: of one token, what that operand holds
 * of each. The including .c defines GEMM_COLUMNS, of a block: 32 or 256.
 */
#ifndef MICRO_KERNELS_GEMM_Q8_H
#define MICRO_KERNELS_GEMM_Q8_H

#include <math.h>

#include "micro/kernel.h"
#include "micro/kernels/q8_avx2.h"

extern const struct format SELF_FORMAT;

#if GEMM_COLUMNS == 32
#define gemm_q8      struct q8_32
#define GEMM_Q8_MAKE q8_32_make
#define GEMM_Q8      q8_32_value
#else
#define gemm_q8      struct q8_256
#define GEMM_Q8_MAKE q8_256_make
#define GEMM_Q8      q8_256_value
#endif

static void prepare(const void *activations, size_t k, void *prepared)
{
    GEMM_Q8_MAKE(activations, k, prepared);
}

static struct kernel_row block_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column++) {
        double term = format_weight(&SELF_FORMAT, panel, k, row, column) * GEMM_Q8(prepared, column);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

#endif
