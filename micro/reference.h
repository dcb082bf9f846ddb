/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_REFERENCE_H
#define MICRO_REFERENCE_H

#include "micro/kernel.h"

/**
 * The scalar reference: what a kernel must give, in double, and how far from it it may be.
 *
 * Integer results must be equal. A float32 result may differ from row() (the definition where the kernel has none) by
 *
 *     (K / S + 16) 2^-24 sum|w a|
 *
 * where S is the kernel's float_sums, 8 if it states none: the rounding of a sum kept in S parts. At K = 28,672 this
 * lets less than one term of average size go if S is 64 or more, three at 16, six at 8. From the definition it may differ by
 * error_bound * max|a| K max|w| more, max|w| being that of the panel's rows, padding of K among their columns: what a kernel
 * makes coarser with one scale for many columns, padding makes coarser, too. A kernel with a bound and no row() (a
 * plug-in that cannot say what its operand is) is held to the bound alone.
 */
struct reference_row {
    double definition; /* sum_k w a */
    double y;          /* row(), or the definition */
    double rounding;   /* |result - y| may be */
    double bound;      /* |result - definition| may be */
};

struct reference_check {
    size_t rows, wrong;           /* compared; further away than they may be */
    size_t unequal;               /* not the definition, bit for bit */
    double error_most, magnitude; /* largest |result - definition|, largest |definition| */
    size_t first_wrong;           /* of those compared, where any is wrong: its number, */
    double got, wanted;           /* what it is, and what it must be, the definition or row() */
};

/**
 * The first `count` rows of one panel.
 * @param k            columns of the matrix, without padding
 * @param activations  as the kernel takes them, at least k
 * @param prepared     what the kernel's prepare() made of them; NULL without one
 */
void reference_rows(const struct kernel *kernel, const uint8_t *panel, size_t k, size_t count, const void *activations,
                    const void *prepared, struct reference_row *rows);

/** The weights of the first `count` rows of one panel, [count][k], as reference_rows takes them. */
void reference_weights(const struct format *format, const uint8_t *panel, size_t k, size_t count, double *weights);

/** The same rows where the panel's weights were read before, for many tokens. */
void reference_rows_of_weights(const struct kernel *kernel, const uint8_t *panel, const double *weights, size_t k,
                               size_t count, const void *activations, const void *prepared, struct reference_row *rows);

/** Weights of a panel that were read already, [rows][k]. */
struct reference_weights_read {
    const struct format *format;
    const uint8_t *panel; /* NULL: none were */
    size_t k, rows;
    const double *weights;
};

/** format_weight() of this thread takes the weights of this panel from there, until told otherwise: row() of many tokens asks for the same ones. */
void reference_weights_are_read(const struct reference_weights_read *read);

/** Compare results, int32_t or float as the kernel gives, with their rows; adds to *check. */
void reference_compare(const struct kernel *kernel, const struct reference_row *rows, size_t count, const void *results,
                       struct reference_check *check);

/**
 * Compare one token's results of a GEMM; adds to *check. Those of a kernel that gives int32 must be
 * scale * (float)y, bit for bit, and errors are in units of the scale; others are held to their bounds as above.
 */
void reference_compare_token(const struct kernel *kernel, const struct reference_row *rows, size_t count,
                             const float *results, float scale, struct reference_check *check);

/** Worst error relative to the largest result; the error itself where all that is right is 0. */
double reference_error(const struct reference_check *check);

/** Every row equals the definition. */
bool reference_is_exact(const struct reference_check *check);

#endif
