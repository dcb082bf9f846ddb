/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "harness/check/items/format_check.h"
#include "harness/check/items/sequence_check.h"
#include "unit_test.h"

TEST(our_formats_agree_with_themselves)
{
    uint64_t random = 1;
    char why[160];
    for (const struct format *const *at = format_all(); *at; at++) {
        if (format_check(*at, &random, NULL, why, sizeof why))
            fail_msg("%s: %s", (*at)->name, why);
        if (!(fabs(format_taken_bits(*at) / (*at)->bits - 1) < 0.02))
            fail_msg("%s: %g bits, %g are taken", (*at)->name, (*at)->bits, format_taken_bits(*at));
    }
}

/* Rows of floats, of which a fault exchanges or drops some. */
static size_t wrong_column = SIZE_MAX;

static void pack(const float *w, size_t k, uint8_t *panel)
{
    memcpy(panel, w, k * sizeof *w);
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    float w;
    (void)k, (void)row;
    memcpy(&w, panel + (column ^ (wrong_column == SIZE_MAX ? 0 : wrong_column)) * sizeof w, sizeof w);
    return (double)w;
}

static void row_weights(const uint8_t *panel, size_t k, uint32_t row, double *weights)
{
    for (uint32_t i = 0; i < k; i++)
        weights[i] = weight(panel, k, row, i) * (i == 5 ? 1.0000001 : 1);
}

static void right_row_weights(const uint8_t *panel, size_t k, uint32_t row, double *weights)
{
    for (uint32_t i = 0; i < k; i++)
        weights[i] = weight(panel, k, row, i);
}

TEST(functions_that_disagree_are_named)
{
    struct format format = {.name = "floats",
                            .bits = 32,
                            .rows_per_panel = 1,
                            .k_per_step = 16,
                            .step_bytes = 64,
                            .max_k = 1 << 20,
                            .pack = pack,
                            .weight = weight};
    uint64_t random = 1;
    char why[160];
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), 0);
    assert_true(format_taken_bits(&format) == 32);
    wrong_column = 1;
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), -EILSEQ);
    assert_non_null(strstr(why, "pack() stores "));
    assert_non_null(strstr(why, ", and weight() gives "));
    wrong_column = SIZE_MAX;
    format.row_weights = row_weights;
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), -EILSEQ);
    assert_non_null(strstr(why, "row_weights() gives "));
    assert_non_null(strstr(why, "at row 0, column 5, and weight() gives "));
    format.row_weights = right_row_weights;
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), 0);
    format.weight = NULL;
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), 0);
    wrong_column = 1;
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), -EILSEQ);
    assert_non_null(strstr(why, ", and row_weights() gives "));
    wrong_column = SIZE_MAX;
    /* without pack() there is nothing to compare */
    format.pack = NULL;
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), 0);
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    panel[column + row] = (uint8_t)w;
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return (int8_t)panel[column + row];
}

static void fill_ternary(uint8_t *panel, size_t k, uint64_t *state)
{
    for (size_t i = 0; i < k; i++)
        panel[i] = (uint8_t)((*state = *state * 25214903917 + 11) % 3 - 1);
}

TEST(values_that_random_panels_do_not_keep_to_are_named)
{
    static const int32_t ternary[] = {-1, 0, 1}, bits[] = {-1, 1};
    struct format format = {.name = "bytes",
                            .bits = 8,
                            .rows_per_panel = 1,
                            .k_per_step = 16,
                            .step_bytes = 16,
                            .max_k = 1 << 20,
                            .weight_min = -1,
                            .weight_max = 1,
                            .put = put,
                            .get = get,
                            .values = ternary,
                            .value_count = 3};
    uint64_t random = 1;
    char why[160];
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), -EILSEQ);
    assert_non_null(strstr(why, "a panel of random bits, because it has no fill(), has "));
    assert_non_null(strstr(why, ", which is not one of its values"));
    format.fill = fill_ternary;
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), 0);
    format.values = bits;
    format.value_count = 2;
    assert_int_equal(format_check(&format, &random, NULL, why, sizeof why), -EILSEQ);
    assert_non_null(strstr(why, "a panel of fill() has 0 at row 0, column "));
}

TEST(a_sequence_that_cannot_be_loaded_is_not_wrong)
{
    char why[USER_SEQUENCE_WHY];
    struct user_sequence user = {.path = "mine.S"};
    assert_int_equal(check_sequence_apart("./no_such_object.so", &user, 1, NULL, why, sizeof why), -EINVAL);
    assert_ptr_equal(strstr(why, "cannot load what was assembled from mine.S: "), why);
}

RUN_TESTS(NULL, NULL)
