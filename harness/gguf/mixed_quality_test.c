/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inputs that are split into those to calibrate with and those to judge by, a matrix judged, and stacks of layers put together from errors
 * that are made up here.
 */
#include "harness/gguf/mixed_quality.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/mixed_stack.h"
#include "harness/gguf/synthetic.h"
#include "unit_test.h"

enum { K = 64, M = 16 };

static struct matrix tokens_of(size_t count)
{
    struct matrix x = {count, K, calloc(count * K, sizeof *x.w)};
    for (size_t i = 0; i < count * K; i++)
        x.w[i] = (float)(i / K + 1);
    return x;
}

TEST(the_last_tokens_are_held_out)
{
    static const size_t counts[][2] = {{2, 1}, {8, 1}, {9, 2}, {512, 64}, {1000, 64}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct matrix x = tokens_of(counts[i][0]);
        struct inputs inputs;
        assert_int_equal(inputs_take(&x, &inputs), 0);
        assert_null(x.w);
        assert_int_equal(inputs.held_out, counts[i][1]);
        assert_int_equal(inputs.calibration.tokens, counts[i][0] - counts[i][1]);
        inputs_free(&inputs);
    }
}

TEST(inputs_that_say_nothing_are_refused)
{
    struct inputs inputs;
    struct matrix one = tokens_of(1), zeros = tokens_of(4);
    assert_int_equal(inputs_take(&one, &inputs), -ENODATA);
    memset(zeros.w, 0, 3 * K * sizeof *zeros.w); /* but for the one that is held out */
    assert_int_equal(inputs_take(&zeros, &inputs), -ENODATA);
    assert_null(inputs.x);
}

TEST(a_matrix_is_judged_by_what_was_held_out)
{
    const struct mixed_options options = {0.25, 0, MIXED_OUTLIERS_OF_2_BITS, false};
    struct matrix matrix = {M, K, malloc(M * K * sizeof *matrix.w)}, zeros = {M, K, calloc(M * K, sizeof *zeros.w)};
    struct inputs inputs;
    struct quality quality;
    char why[NPY_REASON];
    synthetic_weights(SYNTHETIC_GAUSSIAN, M, K, 1, matrix.w);
    assert_int_equal(inputs_draw(K, 2, &inputs), 0);
    assert_int_equal(inputs.calibration.tokens, INPUTS_TOKENS_A_COLUMN * K);
    assert_int_equal(mixed_quality_of(&matrix, &inputs, &options, &quality, why, sizeof why), 0);
    assert_true(quality.bits == 364 * 8 / 1024.);
    assert_true(quality.weighted_error > 0.03 && quality.weighted_error < 0.2);
    assert_true(quality.output_error > 0.03 && quality.output_error < 0.2);
    assert_int_equal(mixed_quality_of(&zeros, &inputs, &options, &quality, why, sizeof why), -EINVAL);
    assert_string_equal(why, "all weights are zero");
    float *held_out = inputs.x + inputs.calibration.tokens * K;
    held_out[0] = 3e38f;
    matrix.w[0] = 60000;
    assert_int_equal(mixed_quality_of(&matrix, &inputs, &options, &quality, why, sizeof why), -EINVAL);
    assert_string_equal(why, "weights or activations are too large for errors to be numbers");
    memset(held_out, 0, inputs.held_out * K * sizeof *inputs.x);
    assert_int_equal(mixed_quality_of(&matrix, &inputs, &options, &quality, why, sizeof why), -EINVAL);
    assert_string_equal(why, "all outputs are zero");
    zeros.w[K + 1] = -65504;
    assert_int_equal(mixed_quality_of(&zeros, &inputs, &options, &quality, why, sizeof why), -EINVAL);
    assert_string_equal(why, "weights of 65504 and more are beyond scales and outliers of 16 bits");
    matrix.k = K - 8;
    inputs.calibration.k = K - 8;
    assert_int_equal(mixed_quality_of(&matrix, &inputs, &options, &quality, why, sizeof why), -EINVAL);
    assert_string_equal(why, "56 columns are no multiple of 16 up to 65536");
    inputs_free(&inputs);
    free(matrix.w);
    free(zeros.w);
}

/* ---------------------------------------------------------------- stacks */

/** Layers that lose 0.1 in 2 bits, 0.01 in 4 and 0.08 mixed, but for the last: 0.2 in 2. */
static struct stack_layers make_layers(void)
{
    struct stack_layers layers;
    for (size_t l = 0; l < STACK_LAYERS; l++) {
        layers.two[l] = (struct quality){2, 0.1, 0.1, 0};
        layers.four[l] = (struct quality){4, 0.01, 0.01, 0};
        layers.within[l] = (struct quality){2.5, 0.08, 0.08, 0};
    }
    layers.two[STACK_LAYERS - 1].output_error = 0.2;
    return layers;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

TEST(stacks_are_means_of_layers)
{
    const struct stack_layers layers = make_layers();
    const struct quality within = stack_quality(&layers, STACK_WITHIN, 0.25, 0);
    const struct quality first = stack_quality(&layers, STACK_FIRST_LAYERS, 0.25, 0);
    const struct quality best = stack_quality(&layers, STACK_BEST_LAYERS, 0.25, 0);
    const struct quality one =
        stack_quality(&layers, STACK_BEST_LAYERS, 0.01, 0); /* a whole layer at least: the last */
    assert_true(near(within.bits, 2.5) && near(within.output_error, 0.08));
    assert_true(near(first.bits, 2.5) && near(first.output_error, (5 * 0.01 + 14 * 0.1 + 0.2) / 20));
    assert_true(near(best.bits, 2.5) && near(best.output_error, (5 * 0.01 + 15 * 0.1) / 20));
    assert_true(near(one.bits, 2.1) && near(one.output_error, (0.01 + 19 * 0.1) / 20));
    assert_true(near(first.weighted_error, best.weighted_error));
    assert_true(near(best.db_per_bit, -10 * log10(best.weighted_error) / 2.5));
}

/** The more layers differ, the more the best of them take; what is the same in each is not touched. */
TEST(spread_favours_the_best_layers)
{
    const struct stack_layers layers = make_layers();
    double before = 1;
    for (double spread = 0; spread <= 1.5; spread += 0.25) {
        const double best = stack_quality(&layers, STACK_BEST_LAYERS, 0.25, spread).output_error;
        assert_true(best < before && best <= stack_quality(&layers, STACK_FIRST_LAYERS, 0.25, spread).output_error);
        assert_true(near(stack_quality(&layers, STACK_WITHIN, 0.25, spread).output_error, 0.08));
        before = best;
    }
}

RUN_TESTS(NULL, NULL)
