/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row() of Q2_K kernels: minima_row(). BLOCK_DMIN and BLOCK_GROUPS are where a block has the dmin of its first row and the bytes of its groups, of which
 * BLOCK_GROUPS_CHUNK of a row lie side by side. Of an operand that is not blocks of q8.h the including .c defines Q2_K_ACTIVATION(prepared, column).
 */
#ifndef MICRO_FORMATS_Q2_K_ROW_H
#define MICRO_FORMATS_Q2_K_ROW_H

#include "micro/families/blocks/block_layout.h"

#ifndef Q2_K_ACTIVATION
#include "micro/families/blocks/q8.h"
#define Q2_K_ACTIVATION(prepared, column) q8_256_value(prepared, column)
#endif

static double q2_k_minimum(const uint8_t *block, uint32_t row, uint32_t column)
{
    const uint32_t group = column / 16, chunk = group / BLOCK_GROUPS_CHUNK * BLOCK_ROWS + row;
    const uint8_t byte = block[BLOCK_GROUPS + chunk * BLOCK_GROUPS_CHUNK + group % BLOCK_GROUPS_CHUNK];
    return (double)half_float_at(block + BLOCK_DMIN + 2 * row) * (byte >> 4);
}

#define MINIMA_ACTIVATION Q2_K_ACTIVATION
#define MINIMA_MINIMUM    q2_k_minimum
#define MINIMA_COLUMNS    16
#include "micro/families/k_quants/minima_row.h"

#endif
