/* SPDX-License-Identifier: BSD-3-Clause
 *
 * H against its definition, its inverse by multiplying with it, with fewer tokens than columns and columns without activations, too, and
 * what error feedback takes from its factor.
 */
#include "micro/quantization/hessian.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"
#include "unit_test.h"

enum { K = 150, TOKENS = 300 }; /* K: blocks, and a rest */

static float x[TOKENS * K];
static double h[K * K], n[K * K], defined[K * K];

/** Each column some of the one before it. */
static void draw(size_t tokens, size_t k, uint64_t seed)
{
    uint64_t random = seed;
    for (size_t i = 0; i < tokens * k; i++)
        x[i] = random_float(&random) + (i % k ? 0.8f * x[i - 1] : 0);
}

/** 2 X' X, both triangles. */
static void define(size_t tokens, size_t k)
{
    memset(defined, 0, sizeof defined);
    for (size_t t = 0; t < tokens; t++) {
        for (size_t i = 0; i < k * k; i++)
            defined[i] += 2 * (double)x[t * k + i / k] * (double)x[t * k + i % k];
    }
}

/** Both triangles of the lower one. */
static double symmetric(const double *of, size_t k, size_t i, size_t j)
{
    return i >= j ? of[i * k + j] : of[j * k + i];
}

/** The largest |N H N' - I|. */
static double residual(size_t k)
{
    static double product[K * K];
    double most = 0;
    memset(product, 0, sizeof product);
    for (size_t i = 0; i < k; i++) {
        for (size_t t = 0; t <= i; t++) {
            for (size_t j = 0; j < k; j++)
                product[i * k + j] += n[i * k + t] * symmetric(h, k, t, j);
        }
    }
    for (size_t i = 0; i < k * k; i++) {
        double sum = i / k == i % k ? -1 : 0;
        for (size_t t = 0; t <= i % k; t++)
            sum += product[i / k * k + t] * n[i % k * k + t];
        most = fmax(most, fabs(sum));
    }
    return most;
}

/** H of what was drawn in h, its factor in n. */
static void make(size_t tokens, size_t k)
{
    memset(h, 0, sizeof h);
    assert_int_equal(hessian_add(x, tokens, k, h), 0);
    assert_true(hessian_damp(h, k) > 0);
    memcpy(n, h, sizeof n);
    assert_int_equal(hessian_invert(n, k), 0);
}

TEST(it_is_twice_the_products_of_activations)
{
    draw(TOKENS, K, 1);
    define(TOKENS, K);
    memset(h, 0, sizeof h);
    assert_int_equal(hessian_add(x, TOKENS / 3, K, h), 0); /* in parts */
    assert_int_equal(hessian_add(x + TOKENS / 3 * K, TOKENS - TOKENS / 3, K, h), 0);
    double trace = 0;
    for (size_t i = 0; i < K; i++) {
        trace += h[i * K + i];
        for (size_t j = 0; j <= i; j++)
            assert_true(fabs(h[i * K + j] - defined[i * K + j]) < 1e-10);
    }
    assert_true(fabs(hessian_damp(h, K) / (HESSIAN_DAMPING * trace / K) - 1) < 1e-12);
    assert_true(fabs(h[0] - defined[0] - HESSIAN_DAMPING * trace / K) < 1e-10);
}

TEST(the_factor_is_that_of_the_inverse)
{
    static const size_t sizes[] = {1, 2, 63, 64, 65, K};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        draw(TOKENS, sizes[i], i);
        make(TOKENS, sizes[i]);
        assert_true(residual(sizes[i]) < 1e-11);
    }
}

TEST(damping_makes_up_for_rank)
{
    double diagonal[K];
    draw(5, K, 3); /* rank 5 */
    for (size_t t = 0; t < 5; t++)
        x[t * K + 7] = 0;
    make(5, K);
    assert_true(residual(K) < 1e-9);
    hessian_inverse_diagonal(n, K, diagonal);
    for (size_t c = 0; c < K; c++)
        assert_true(diagonal[c] > 0 &&
                    diagonal[c] <= diagonal[7] * (1 + 1e-9)); /* what nothing is multiplied with matters least */
}

/** The inverse without the last columns is that of the leading part, and the last column of an inverse is a row of N. */
TEST(leading_parts_are_those_of_fewer_columns)
{
    enum { FEWER = 70 };
    static double full[K * K];
    double diagonal[K];
    draw(TOKENS, K, 4);
    make(TOKENS, K);
    memcpy(full, n, sizeof full);
    for (size_t i = 0; i < FEWER * FEWER; i++)
        n[i] = h[i / FEWER * K + i % FEWER];
    assert_int_equal(hessian_invert(n, FEWER), 0);
    for (size_t i = 0; i < FEWER; i++) {
        for (size_t j = 0; j <= i; j++)
            assert_true(fabs(n[i * FEWER + j] - full[i * K + j]) < 1e-10);
    }
    hessian_inverse_diagonal(n, FEWER, diagonal);
    assert_true(fabs(diagonal[FEWER - 1] - pow(n[FEWER * FEWER - 1], 2)) < 1e-12);
}

TEST(what_is_not_positive_definite_is_refused)
{
    memset(h, 0, sizeof h);
    assert_true(hessian_damp(h, 3) == 0);
    assert_int_equal(hessian_invert(h, 3), -EDOM);
    const double indefinite[4] = {1, 0, 2, 1};
    memcpy(h, indefinite, sizeof indefinite);
    assert_int_equal(hessian_invert(h, 2), -EDOM);
    h[0] = NAN;
    assert_int_equal(hessian_invert(h, 1), -EDOM);
}

RUN_TESTS(NULL, NULL)
