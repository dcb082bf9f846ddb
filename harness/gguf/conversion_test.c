/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What converting a layer to bipolar integers changes: nothing where parameters and terms are numbers of the type, and little elsewhere.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "harness/gguf/conversion.h"
#include "harness/gguf/synthetic.h"
#include "unit_test.h"

enum { M = 8, K = 256 };

static float w[M * K], x[QUALITY_TOKENS * K];
static const struct matrix matrix = {M, K, w};

static struct conversion conversion(uint32_t weight_bits, uint32_t activation_bits, size_t group,
                                    enum conversion_type type)
{
    const struct conversion_request request = {weight_bits, activation_bits, group, type};
    struct conversion found;
    char why[NPY_REASON];
    assert_int_equal(conversion_of(&matrix, x, &request, &found, why, sizeof why), 0);
    return found;
}

static void draw(void)
{
    synthetic_weights(SYNTHETIC_GAUSSIAN, M, K, 3, w);
    synthetic_activations(QUALITY_TOKENS, K, 4, x);
}

/** Weights and activations on a grid of a half, the extremes among them in each group: every number has few bits. */
static void draw_on_grid(int weight_most, int activation_most)
{
    for (int i = 0; i < M * K; i++)
        w[i] = 0.5F * (float)(i % 64 == 0 ? -weight_most - 1 : i % 64 == 1 ? weight_most : i * 7 % weight_most);
    for (int i = 0; i < QUALITY_TOKENS * K; i++)
        x[i] = 0.5F * (float)(i % 64 == 0 ? activation_most : i % 5 - 2 < activation_most ? i % 5 % 2 : 0);
}

TEST(nothing_changes_where_all_is_exact)
{
    draw_on_grid(7, 7);
    for (size_t group = 64; group <= K; group *= 2) {
        struct conversion found = conversion(4, 4, group, CONVERSION_F32);
        assert_true(found.difference == 0 && found.ulp == 0 && found.ulp_of_largest == 0 && found.equal == 1);
        assert_true(found.error_before == 0 && found.error_after == 0);
    }
}

/** Half of a scale is a number of f16, the zero less that half is not: 1024 and 0.25. */
TEST(a_zero_that_rounds_shows)
{
    draw_on_grid(7, 7);
    for (size_t i = 0; i < M * K; i++)
        w[i] += 1024;
    for (size_t i = 0; i < QUALITY_TOKENS * K; i++)
        x[i] = i % 64 < 2 ? x[i] : 0; /* sums must stay below 65,504 */
    assert_true(conversion(4, 4, 64, CONVERSION_F16).difference > 0);
    assert_true(conversion(4, 4, 64, CONVERSION_F32).difference == 0);
}

TEST(differences_are_far_below_what_quantizing_lost)
{
    draw();
    for (uint32_t bits = 2; bits <= 8; bits += 2) {
        struct conversion half = conversion(bits, bits, 0, CONVERSION_F16),
                          single = conversion(bits, bits, 0, CONVERSION_F32);
        assert_true(half.difference > 0 && single.difference > 0);
        assert_true(single.difference < half.difference / 100);
        assert_true(half.difference < sqrt(half.error_before));
        assert_true(fabs(half.error_after / half.error_before - 1) < 0.05);
        assert_true(half.ulp >= 1 && half.equal < 1 && half.ulp_of_largest <= half.ulp);
    }
}

TEST(more_bits_lose_less)
{
    draw();
    double last = INFINITY;
    for (uint32_t bits = 2; bits <= 8; bits++) {
        struct conversion found = conversion(bits, bits, 64, CONVERSION_F32);
        assert_true(found.error_before < last);
        last = found.error_before;
    }
}

static void refused(size_t group, enum conversion_type type, int error, const char *reason)
{
    const struct conversion_request request = {4, 4, group, type};
    struct conversion found;
    char why[NPY_REASON];
    assert_int_equal(conversion_of(&matrix, x, &request, &found, why, sizeof why), error);
    assert_string_equal(why, reason);
}

TEST(what_has_no_answer_is_refused)
{
    draw();
    refused(100, CONVERSION_F32, -EINVAL, "its 256 columns are no multiple of the group size 100");
    for (size_t i = 0; i < M * K; i++)
        w[i] *= 30000;
    refused(0, CONVERSION_F16, -ERANGE, "an output is beyond the numbers of f16");
    memset(w, 0, sizeof w);
    refused(0, CONVERSION_F32, -EINVAL, "all outputs are zero");
}

RUN_TESTS(NULL, NULL)
