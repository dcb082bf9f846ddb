/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row() of Q2_K kernels: minima_row(). Of interleaved rows the layout.h says where a block has a row's dmin and the byte of a group,
 * Q2_K_DMIN_AT(row) and Q2_K_GROUP_AT(row, group); of an operand that is not blocks of q8.h the including .c defines
 * Q2_K_ACTIVATION(prepared, column).
 */
#ifndef MICRO_FORMATS_Q2_K_ROW_H
#define MICRO_FORMATS_Q2_K_ROW_H

#include "micro/families/blocks/block_layout.h"

#ifndef Q2_K_DMIN_AT
#define Q2_K_DMIN_AT(row)         (DMIN + 0 * (row))
#define Q2_K_GROUP_AT(row, group) ((group) + 0 * (row))
#endif
#ifndef Q2_K_ACTIVATION
#include "micro/families/blocks/q8.h"
#define Q2_K_ACTIVATION(prepared, column) q8_256_value(prepared, column)
#endif

static double q2_k_minimum(const uint8_t *block, uint32_t row, uint32_t column)
{
    return (double)half_float_at(block + Q2_K_DMIN_AT(row)) * (block[Q2_K_GROUP_AT(row, column / 16)] >> 4);
}

#define MINIMA_ACTIVATION Q2_K_ACTIVATION
#define MINIMA_MINIMUM    q2_k_minimum
#define MINIMA_COLUMNS    16
#include "micro/families/k_quants/minima_row.h"

#endif
