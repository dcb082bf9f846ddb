/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row() of kernels of Q4_K and Q5_K, whose rows lie one by one or as the BLOCK_PARTS of the format say: minima_row(). Of an operand
 * that is not blocks of q8.h the including file defines K_QUANT_ACTIVATION(prepared, column).
 */
#ifndef MICRO_FAMILIES_K_QUANTS_K_QUANT_ROW_H
#define MICRO_FAMILIES_K_QUANTS_K_QUANT_ROW_H

#include "micro/families/k_quants/k_quant_scales.h"

#ifndef K_QUANT_ACTIVATION
#define K_QUANT_ACTIVATION q8_256_value
#endif

static double k_quant_minimum_at(const uint8_t *block, uint32_t row, uint32_t column)
{
    return block_half(block, row, K_QUANT_DMIN) * k_quant_minimum(block, row, column / K_QUANT_GROUP);
}

#define MINIMA_ACTIVATION K_QUANT_ACTIVATION
#define MINIMA_MINIMUM    k_quant_minimum_at
#define MINIMA_COLUMNS    K_QUANT_GROUP
#include "micro/families/k_quants/minima_row.h"

#endif
