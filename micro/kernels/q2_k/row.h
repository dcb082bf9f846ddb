/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row() of Q2_K kernels, after block_rows.h: codes and minima are terms of their own, which may cancel in a weight. Of interleaved
 * rows the layout.h says where a block has a row's dmin and the byte of a group, Q2_K_DMIN_AT(row) and Q2_K_GROUP_AT(row, group); of
 * an operand that is not blocks of q8.h the including .c defines Q2_K_ACTIVATION(prepared, column).
 */
#ifndef MICRO_KERNELS_Q2_K_ROW_H
#define MICRO_KERNELS_Q2_K_ROW_H

#include "micro/kernels/half.h"

#ifndef Q2_K_DMIN_AT
#define Q2_K_DMIN_AT(row)         (DMIN + 0 * (row))
#define Q2_K_GROUP_AT(row, group) ((group) + 0 * (row))
#endif
#ifndef Q2_K_ACTIVATION
#define Q2_K_ACTIVATION(prepared, column) q8_256_value(prepared, column)
#endif

static struct kernel_row q2_k_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = block_row(panel, k, row, prepared);
    sum.magnitude = 0;
    for (uint32_t column = 0; column < k; column++) {
        const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
        uint16_t dmin;
        memcpy(&dmin, block + Q2_K_DMIN_AT(row), sizeof dmin);
        double minimum = (double)half_to_float(dmin) * (block[Q2_K_GROUP_AT(row, column % BLOCK_COLUMNS / 16)] >> 4);
        double scaled = format_weight(&SELF_FORMAT, panel, k, row, column) + minimum;
        sum.magnitude += (fabs(scaled) + fabs(minimum)) * fabs(Q2_K_ACTIVATION(prepared, column));
    }
    return sum;
}

#endif
