/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The bound of float results: an honest sum in this many parts is within it whatever it adds, and one that leaves terms
 * out is not, at the largest K of real models too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/reference.h"
#include "micro/sequence.h"
#include "unit_test.h"

enum { K = 28672 };

/** A row of floats and its activations. */
struct row {
    float weights[K], activations[K];
};

enum fill { RANDOM, EQUAL, ALTERNATING, GROWING, FILLS };

static struct row *make_row(enum fill fill)
{
    struct row *row = malloc(sizeof *row);
    assert_non_null(row);
    uint64_t state = 5;
    for (int i = 0; i < K; i++) {
        float random = (float)(sequence_random(&state) >> 40) * 0x1p-23F - 1;
        row->weights[i] = fill == RANDOM ? random : fill == GROWING ? (float)i + 0.1F : 0.7F;
        row->activations[i] = fill == ALTERNATING && i % 2 ? -0.3F : 0.3F;
    }
    return row;
}

/** Added in order to this many floats, and these pairwise: terms from `left_out` columns on are missing. */
static float sum_in_parts(const struct row *row, unsigned parts, unsigned left_out)
{
    float sums[128] = {0};
    for (unsigned i = 0; i < K - left_out; i++)
        sums[i % parts] = fmaf(row->weights[i], row->activations[i], sums[i % parts]);
    for (unsigned half = parts / 2; half; half /= 2) {
        for (unsigned i = 0; i < half; i++)
            sums[i] += sums[i + half];
    }
    return sums[0];
}

static size_t wrong_rows(const struct row *row, uint32_t stated, unsigned parts, unsigned left_out)
{
    const struct format *format = format_find("f32");
    struct kernel kernel = {
        .format = format, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .float_sums = stated};
    struct reference_row expected;
    struct reference_check check = {0};
    float *result = calloc(format->rows_per_panel, sizeof *result);
    uint8_t *panel = calloc(1, format_panel_bytes(format, K));
    assert_true(result && panel && format->rows_per_panel == 1);
    memcpy(panel, row->weights, sizeof row->weights);
    result[0] = sum_in_parts(row, parts, left_out);
    reference_rows(&kernel, panel, K, 1, row->activations, NULL, &expected);
    reference_compare(&kernel, &expected, 1, result, &check);
    free(panel);
    free(result);
    return check.wrong;
}

TEST(honest_sums_are_within_the_bound)
{
    static const unsigned parts[] = {8, 16, 32, 64, 128};
    for (enum fill fill = RANDOM; fill < FILLS; fill++) {
        struct row *row = make_row(fill);
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            assert_int_equal(wrong_rows(row, parts[i], parts[i], 0), 0);
            assert_int_equal(wrong_rows(row, 0, parts[i], 0), 0);
        }
        free(row);
    }
}

/** Terms of equal size: the bound of 8 parts lets six go, that of 64 none. */
TEST(terms_that_are_left_out_are_found_at_the_largest_k)
{
    struct row *row = make_row(EQUAL);
    assert_int_equal(wrong_rows(row, 128, 128, 1), 1);
    assert_int_equal(wrong_rows(row, 64, 64, 1), 1);
    assert_int_equal(wrong_rows(row, 32, 32, 2), 1);
    assert_int_equal(wrong_rows(row, 16, 16, 4), 1);
    assert_int_equal(wrong_rows(row, 0, 16, 8), 1);
    assert_int_equal(wrong_rows(row, 0, 64, 5), 0); /* what the number of parts is stated for */
    assert_int_equal(wrong_rows(row, 64, 64, 5), 1);
    free(row);
}

/** A kernel that claims more parts than it has is caught where its terms round alike. */
TEST(a_claim_of_too_many_parts_is_found)
{
    struct row *row = make_row(GROWING);
    struct row *equal = make_row(EQUAL);
    assert_true(wrong_rows(row, KERNEL_FLOAT_SUMS_ALL, 1, 0) || wrong_rows(equal, KERNEL_FLOAT_SUMS_ALL, 1, 0));
    free(equal);
    free(row);
}

/** Weights of 4 columns a step as they are: K = 1 leaves three of padding. */
static double float_weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    float w;
    assert_true(row == 0 && column < k && k == 4);
    memcpy(&w, panel + column * sizeof w, sizeof w);
    return (double)w;
}

static struct kernel_row coarse_row(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    (void)panel, (void)k, (void)row, (void)prepared;
    return (struct kernel_row){.y = 1};
}

TEST(the_error_bound_is_of_the_padding_too)
{
    const struct format format = {
        .name = "f", .bits = 32, .rows_per_panel = 1, .k_per_step = 4, .step_bytes = 16, .weight = float_weight};
    const struct kernel kernel = {.format = &format,
                                  .takes = KERNEL_TAKES_F32,
                                  .gives = KERNEL_GIVES_F32,
                                  .float_sums = 8,
                                  .error_bound = 0.125,
                                  .row = coarse_row};
    const float weights[] = {2, 0, -8, 1}, activations[16] = {3};
    struct reference_row row;
    reference_rows(&kernel, (const uint8_t *)weights, 1, 1, activations, NULL, &row);
    assert_true(row.definition == 6 && row.y == 1);
    assert_true(row.bound == 0.125 * 3 * 1 * 8);
    assert_true(row.rounding == 0); /* of row() nothing is made larger */
}

static struct kernel_row row_of_two(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct format *format = prepared;
    return (struct kernel_row){.y = 10 * format_weight(format, panel, k, row, 0) +
                                    format_weight(format, panel, k, row, 3)};
}

TEST(a_row_takes_what_was_read_of_its_panel_and_reads_the_padding)
{
    const struct format format = {
        .name = "f", .bits = 32, .rows_per_panel = 1, .k_per_step = 4, .step_bytes = 16, .weight = float_weight};
    const struct kernel kernel = {
        .format = &format, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32, .row = row_of_two};
    const float weights[] = {2, 0, -8, 1}, others[] = {3, 0, 0, 4}, activations[16] = {3};
    const double read[] = {5};
    const uint8_t *panel = (const uint8_t *)weights;
    struct reference_row row;
    reference_rows_of_weights(&kernel, panel, read, 1, 1, activations, &format, &row);
    assert_true(row.y == 51);
    assert_true(format_weight(&format, panel, 1, 0, 0) == 2); /* and no longer */
    reference_weights_are_read(&(struct reference_weights_read){&format, panel, 1, 1, read});
    assert_true(format_weight(&format, panel, 1, 0, 0) == 5);
    assert_true(format_weight(&format, (const uint8_t *)others, 1, 0, 0) == 3);
    reference_rows(&kernel, (const uint8_t *)others, 1, 1, activations, &format, &row);
    assert_true(row.definition == 9 && row.y == 34);
    assert_true(format_weight(&format, panel, 1, 0, 0) == 2);
}

RUN_TESTS(NULL, NULL)
