/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_MIXED_CHOICE_H
#define MICRO_QUANTIZATION_MIXED_CHOICE_H

#include <stddef.h>
#include <stdint.h>

/** Which groups of 16 columns of a matrix get which bits [mixed-2-4-16, 3.3]. */
enum { MIXED_GROUP = 16 };

/** Bits of a group's weights, and of its rows' scales ("scale clipping": two of three scales have 3 bits). */
enum mixed_kind { MIXED_BITS2_SCALE3, MIXED_BITS2_SCALE4, MIXED_BITS4, MIXED_KINDS };

/**
 * Sensitivity of each group of columns,
 *
 *     S_g = sum over the rows and the group's columns of (w / [H^-1]_cc)^2           [Eq. (9), which the paper's text lost: reconstructed]
 *
 * @param w                 [m][k]; k a multiple of 16
 * @param inverse_diagonal  [k], [H^-1]_cc > 0
 * @param sensitivity       [k / 16]
 */
void mixed_sensitivity(const float *w, size_t m, size_t k, const double *inverse_diagonal, double *sensitivity);

/** Groups of so many that a share of them is, the next whole number: with 0.25 one of each step, the last incomplete one included. */
size_t mixed_count(double share, size_t groups);

/** Raise the kind of the `count` groups of kind `from` with the largest value to `to`; of equal ones the first. */
void mixed_raise(const double *value, size_t groups, size_t count, enum mixed_kind from, enum mixed_kind to,
                 uint8_t *kind);

#endif
