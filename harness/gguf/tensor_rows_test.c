/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/tensor_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/conversion.h"
#include "harness/gguf/quality.h"
#include "harness/gguf/synthetic.h"
#include "unit_test.h"

enum { ROWS = 128, COLUMNS = 32 };

/** Each weight is its row's number. */
static struct model_tensor numbered(float *w, struct gguf_tensor *tensor)
{
    *tensor = (struct gguf_tensor){.name = {"t", 1},
                                   .type = gguf_type_named("F32"),
                                   .dimensions = 2,
                                   .size = {COLUMNS, ROWS, 1, 1},
                                   .bytes = ROWS * COLUMNS * sizeof *w};
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        w[i] = (float)(i / COLUMNS);
    return (struct model_tensor){tensor, (const uint8_t *)w};
}

TEST(runs_of_rows_are_spread_from_the_first_to_the_last)
{
    static _Alignas(64) float w[ROWS * COLUMNS];
    struct gguf_tensor table;
    const struct model_tensor tensor = numbered(w, &table);
    static const struct {
        size_t most, taken, begins[4];
    } cases[] = {{16, 16, {0}},
                 {40, 32, {0, 112}},
                 {48, 48, {0, 56, 112}},
                 {1, 16, {0}},
                 {64, 64, {0, 37, 74, 112}},
                 {ROWS, ROWS, {0, 16, 32, 48}},
                 {SIZE_MAX, ROWS, {0, 16, 32, 48}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct matrix matrix;
        assert_int_equal(tensor_sample(&tensor, cases[i].most, &matrix), 0);
        assert_int_equal(matrix.m, cases[i].taken);
        assert_int_equal(matrix.k, COLUMNS);
        for (size_t row = 0; row < matrix.m && row < (size_t)4 * TENSOR_RUN; row++)
            assert_int_equal((int)matrix.w[row * COLUMNS + 5], cases[i].begins[row / TENSOR_RUN] + row % TENSOR_RUN);
        free(matrix.w);
    }
}

TEST(matrices_have_two_dimensions_rows_and_a_type_that_is_read)
{
    static _Alignas(64) float w[ROWS * COLUMNS];
    struct gguf_tensor tensor;
    char why[160];
    (void)numbered(w, &tensor);
    assert_int_equal(tensor_is_matrix(&tensor, why, sizeof why), 0);
    tensor.size[1] = TENSOR_RUN - 1;
    assert_true(tensor_is_matrix(&tensor, why, sizeof why) < 0 && strstr(why, "has 15 rows"));
    tensor.size[1] = ROWS;
    tensor.dimensions = 3;
    assert_true(tensor_is_matrix(&tensor, why, sizeof why) < 0 && strstr(why, "has 3 dimensions"));
    tensor.dimensions = 2;
    tensor.type = gguf_type_named("IQ2_XS");
    assert_true(tensor_is_matrix(&tensor, why, sizeof why) < 0 && strstr(why, "IQ2_XS"));
    tensor.type = NULL;
    assert_true(tensor_is_matrix(&tensor, why, sizeof why) < 0 && strstr(why, "not known"));
}

/** 2 bits a row: the range in three steps; weights that lie on them are kept, others are off by half of one at most. */
TEST(bipolar_weights_are_within_half_a_step_of_a_row)
{
    float w[] = {-1, -0.5f, 0, 0.5f, 3, 2, 1, 0}, q[8];
    const struct matrix matrix = {2, 4, w};
    assert_int_equal(conversion_weights(&matrix, 2, q), 0);
    for (size_t row = 0; row < 2; row++) {
        const double step = row ? 1 : 0.5;
        for (size_t c = 0; c < 4; c++)
            assert_true(fabs((double)q[4 * row + c] - (double)w[4 * row + c]) <= 0.002 * step);
    }
    w[1] = -0.3f;
    assert_int_equal(conversion_weights(&matrix, 2, q), 0);
    assert_true(fabs((double)q[1] + 0.5) < 0.001);
    assert_true(conversion_bits(2, 4) == 10);
    assert_true(conversion_bits(4, 4096) == 4 + 1. / 128);
}

TEST(names_are_of_formats_that_pack_and_of_bipolar_integers)
{
    struct quantizes_to to;
    assert_true(quality_find("w2", &to) && !to.format && to.bipolar_bits == 2);
    assert_true(quality_find("w8", &to) && to.bipolar_bits == 8);
    assert_true(quality_find("q4_0", &to) && to.format && quality_bits(&to, 4, 64) == 4.5);
    assert_false(quality_find("w1", &to));
    assert_false(quality_find("w9", &to));
    assert_false(quality_find("w22", &to));
    assert_false(quality_find("int2_planes", &to));
    assert_false(quality_find("", &to));
}

/** Each bit halves the step: a quarter of the error, or a little more. */
TEST(more_bipolar_bits_lose_less)
{
    enum { M = 16, K = 256 };
    float *w = malloc(M * K * sizeof *w), *x = malloc(QUALITY_TOKENS * K * sizeof *x);
    struct quality before = {0}, quality;
    char why[160];
    synthetic_weights(SYNTHETIC_GAUSSIAN, M, K, 3, w);
    synthetic_activations(QUALITY_TOKENS, K, 4, x);
    const struct matrix matrix = {M, K, w};
    for (uint32_t bits = 2; bits <= 8; bits++) {
        const struct quantizes_to to = {.name = "w", .bipolar_bits = bits};
        assert_int_equal(quality_of(&to, &matrix, x, &quality, why, sizeof why), 0);
        if (bits > 2) {
            assert_true(quality.weighted_error < before.weighted_error / 3);
            assert_true(quality.weighted_error > before.weighted_error / 8);
        }
        before = quality;
    }
    free(w);
    free(x);
}

RUN_TESTS(NULL, NULL)
