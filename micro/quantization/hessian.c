/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See hessian.h. Factor and inverse go block by block, of BLOCK columns: all but the diagonal blocks are products.
 */
#include "micro/quantization/hessian.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/dense_product.h"
#include "micro/least.h"

enum { BLOCK = 64, TOKENS = 256 /* that are doubles at a time */ };

int hessian_add(const float *x, size_t tokens, size_t k, double *h)
{
    double *wide = malloc(least(tokens, TOKENS) * k * sizeof *wide + 1);
    if (!wide)
        return -ENOMEM;
    for (size_t t = 0; t < tokens; t += TOKENS) {
        const size_t depth = least(TOKENS, tokens - t);
        for (size_t i = 0; i < depth * k; i++)
            wide[i] = M_SQRT2 * (double)x[t * k + i];
        for (size_t i = 0; i < k; i += BLOCK) {
            const size_t rows = least(BLOCK, k - i);
            const struct dense_operand a = {wide + i, 1, k}, b = {wide, k, 1};
            dense_multiply_add(h + i * k, k, rows, i + rows, depth, a, b, 1);
        }
    }
    free(wide);
    return 0;
}

double hessian_damp(double *h, size_t k)
{
    double lambda = 0;
    for (size_t c = 0; c < k; c++)
        lambda += HESSIAN_DAMPING * h[c * k + c] / (double)k;
    for (size_t c = 0; c < k; c++)
        h[c * k + c] += lambda;
    return lambda;
}

/** Cholesky factor of a diagonal block in place. @return 0 or -EDOM */
static int factor_block(double *h, size_t k, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j <= i; j++) {
            double rest = h[i * k + j];
            for (size_t t = 0; t < j; t++)
                rest -= h[i * k + t] * h[j * k + t];
            if (i == j && !(rest > 0))
                return -EDOM;
            h[i * k + j] = i == j ? sqrt(rest) : rest / h[j * k + j];
        }
    }
    return 0;
}

/** Rows below a factored block L: each row y becomes the x with x L' = y. */
static void solve_below(const double *factor, double *below, size_t k, size_t rows, size_t size)
{
    for (size_t i = 0; i < rows; i++) {
        double *row = below + i * k;
        for (size_t j = 0; j < size; j++) {
            for (size_t t = 0; t < j; t++)
                row[j] -= row[t] * factor[j * k + t];
            row[j] /= factor[j * k + j];
        }
    }
}

/** H = L L', in place. */
static int factor(double *h, size_t k)
{
    for (size_t j = 0; j < k; j += BLOCK) {
        const size_t size = least(BLOCK, k - j);
        const struct dense_operand done = {h + j * k, k, 1}, transposed = {h + j * k, 1, k};
        double *diagonal = h + j * k + j;
        dense_multiply_add(diagonal, k, k - j, size, j, done, transposed, -1);
        if (factor_block(diagonal, k, size))
            return -EDOM;
        solve_below(diagonal, diagonal + size * k, k, k - j - size, size);
    }
    return 0;
}

/** Inverse of a lower triangular block in place. */
static void invert_block(double *l, size_t k, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const double inverse = 1 / l[i * k + i];
        for (size_t j = 0; j < i; j++) {
            double sum = 0;
            for (size_t t = j; t < i; t++)
                sum += l[i * k + t] * l[t * k + j];
            l[i * k + j] = -inverse * sum; /* those of this row that later sums need lie to its right */
        }
        l[i * k + i] = inverse;
    }
}

/** The row of blocks that begins at row i: N_ij = -N_ii sum_t L_it N_tj, where the rows of N above are done. */
static void invert_row(double *l, size_t k, size_t i, double *sums)
{
    const size_t rows = least(BLOCK, k - i);
    double *diagonal = l + i * k + i;
    invert_block(diagonal, k, rows);
    memset(sums, 0, rows * i * sizeof *sums);
    for (size_t j = 0; j < i; j += BLOCK) {
        const struct dense_operand of_l = {l + i * k + j, k, 1}, of_n = {l + j * k + j, k, 1};
        dense_multiply_add(sums + j, i, rows, BLOCK, i - j, of_l, of_n, 1);
    }
    for (size_t u = 0; u < rows; u++)
        memset(l + (i + u) * k, 0, i * sizeof *l);
    const struct dense_operand of_diagonal = {diagonal, k, 1}, of_sums = {sums, i, 1};
    dense_multiply_add(l + i * k, k, rows, i, rows, of_diagonal, of_sums, -1);
}

/** Above the diagonals of diagonal blocks, which products read: zero. */
static void clear_above(double *h, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        for (size_t j = i + 1; j < least(k, i / BLOCK * BLOCK + BLOCK); j++)
            h[i * k + j] = 0;
    }
}

int hessian_invert(double *h, size_t k)
{
    double *sums = malloc(BLOCK * k * sizeof *sums + 1);
    if (!sums)
        return -ENOMEM;
    const int error = factor(h, k);
    if (!error) {
        clear_above(h, k);
        for (size_t i = 0; i < k; i += BLOCK)
            invert_row(h, k, i, sums);
    }
    free(sums);
    return error;
}

void hessian_inverse_diagonal(const double *n, size_t k, double *diagonal)
{
    for (size_t c = 0; c < k; c++)
        diagonal[c] = 0;
    for (size_t t = 0; t < k; t++) {
        for (size_t c = 0; c <= t; c++)
            diagonal[c] += n[t * k + c] * n[t * k + c];
    }
}
