/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_HESSIAN_H
#define MICRO_QUANTIZATION_HESSIAN_H

#include <stddef.h>

/**
 * Second derivatives of a layer's squared output error |W X - Q X|^2 with respect to a row of its weights [mixed-2-4-16, Eq. (8)], and
 * what quantizers take from their inverse:
 *
 *     H = 2 sum_t x_t x_t' + lambda I,   lambda = HESSIAN_DAMPING * mean diagonal of the first term
 *
 * H is the same for all rows. The damping makes it positive definite with fewer tokens than columns, too, and with columns whose
 * activations are always zero: its condition number is at most K / HESSIAN_DAMPING + 1, far from the limits of double.
 *
 * Matrices are row-major [k][k] double, of which the lower triangle counts; what lies above the diagonal is overwritten. Time: K^2
 * operations a token and 2/3 K^3 for the inverse, at K = 4096 with 8192 tokens 10 s and 4 s on one core (Zen 5, 3.85 GHz); 8 K^2 bytes of memory, 128 MiB there.
 */
#define HESSIAN_DAMPING 0.01
enum { HESSIAN_K_MOST = 16384 }; /* 2 GiB */

/**
 * Add 2 sum_t x_t x_t'.
 *
 * @param x  activations [tokens][k], finite
 * @return 0 or -ENOMEM
 */
int hessian_add(const float *x, size_t tokens, size_t k, double *h);

/**
 * Add lambda I.
 *
 * @param h  as hessian_add() left it
 * @return lambda; 0 if the diagonal is zero: all activations are, and no weight matters more than another
 */
double hessian_damp(double *h, size_t k);

/**
 * H to N, lower triangular, with H^-1 = N' N: the inverse of the Cholesky factor of H.
 *
 * Columns c = K-1 ... 0 being fixed in this order, the best that those before c can do about an error e in c is to take e N[c][j] / N[c][c]
 * off column j: the inverse of H without the columns fixed so far is that of the leading part of N.
 *
 * @return 0, -ENOMEM, or -EDOM where H is not positive definite (then it is half factored)
 */
int hessian_invert(double *h, size_t k);

/** [H^-1]_cc = sum_t N[t][c]^2. All of them > 0. */
void hessian_inverse_diagonal(const double *n, size_t k, double *diagonal);

#endif
