/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The quantizer of 2/4/16 bits: its bits are those of Eq. (10), and what it is for: errors fall with the share of 4-bit groups, with outliers, with
 * error feedback; codes are the best for the scales as decoded; a matrix mixed within loses less than layers of one precision at equal
 * bits. Over several seeds; columns correlate and differ in magnitude, weights have heavy tails.
 */
#include "micro/quantization/mixed_quantize.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/half.h"
#include "micro/isa/random.h"
#include "micro/quantization/hessian.h"
#include "micro/quantization/mixed24.h"
#include "unit_test.h"

enum { M = 32, K = 256, TOKENS = 1024, SEEDS = 5 };

struct layer {
    float w[M * K], x[TOKENS * K];
    double h[K * K]; /* 2 X' X */
    struct calibration calibration;
};

static struct layer layer;

static float bell(uint64_t *random)
{
    return random_float(random) + random_float(random) + random_float(random) + random_float(random);
}

static void draw(uint64_t seed)
{
    uint64_t random = seed;
    float magnitude[K];
    for (size_t c = 0; c < K; c++)
        magnitude[c] = expf(0.7f * bell(&random));
    for (size_t t = 0; t < TOKENS; t++) {
        float before = 0;
        for (size_t c = 0; c < K; c++) {
            before = 0.9f * before + bell(&random);
            layer.x[t * K + c] = magnitude[c] * before;
        }
    }
    for (size_t i = 0; i < M * K; i++) {
        const float tail = bell(&random);
        layer.w[i] = bell(&random) * (1 + tail * tail * tail * tail / 16) / 64;
    }
    memset(layer.h, 0, sizeof layer.h);
    assert_int_equal(hessian_add(layer.x, TOKENS, K, layer.h), 0);
    assert_int_equal(calibrate(layer.x, TOKENS, K, &layer.calibration), 0);
}

static void forget(void)
{
    calibration_free(&layer.calibration);
}

static void quantize(struct mixed_options options, struct mixed_matrix *matrix)
{
    assert_int_equal(mixed_quantize(layer.w, M, K, &layer.calibration, &options, matrix), 0);
}

/** Of the output, over all activations: sum of e' X'X e over the rows. */
static double output_error(const struct mixed_matrix *matrix)
{
    static float q[M * K];
    double sum = 0;
    mixed_decode(matrix, q);
    for (size_t r = 0; r < M; r++) {
        double e[K];
        for (size_t c = 0; c < K; c++)
            e[c] = (double)layer.w[r * K + c] - (double)q[r * K + c];
        for (size_t i = 0; i < K; i++) {
            double row = 0;
            for (size_t j = 0; j < i; j++)
                row += 2 * layer.h[i * K + j] * e[j];
            sum += e[i] * (row + layer.h[i * K + i] * e[i]);
        }
    }
    return sum;
}

static double error_with(struct mixed_options options)
{
    struct mixed_matrix matrix;
    quantize(options, &matrix);
    const double error = output_error(&matrix);
    mixed_free(&matrix);
    return error;
}

/** Shares of 4-bit groups and of outliers, these as the paper's. */
static struct mixed_options shares(double four_bit, double outliers)
{
    return (struct mixed_options){four_bit, outliers, MIXED_OUTLIERS_OF_2_BITS, false};
}

static struct mixed_options with_feedback(double four_bit, double outliers)
{
    return (struct mixed_options){four_bit, outliers, MIXED_OUTLIERS_OF_2_BITS, true};
}

/* ---------------------------------------------------------------- bits */

TEST(bits_are_those_of_equation_10)
{
    static const double share[] = {0, 0.1, 0.25, 1};
    enum { COLUMNS = 960 }; /* 60 groups: thirds of what each share leaves */
    float *w = calloc(16 * COLUMNS, sizeof *w), *x = calloc(COLUMNS, sizeof *x);
    struct calibration calibration;
    uint64_t random = 1;
    for (size_t i = 0; i < 16 * COLUMNS; i++)
        w[i] = x[i % COLUMNS] = bell(&random);
    assert_int_equal(calibrate(x, 1, COLUMNS, &calibration), 0);
    for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
        struct mixed_matrix matrix;
        const struct mixed_options options = shares(share[i], 0);
        const double expected = (1 - share[i]) * (2 + (2 + 10. / 3) / 16 + 24. / 256) + share[i] * (4 + 24. / 256);
        assert_int_equal(mixed_quantize(w, 16, COLUMNS, &calibration, &options, &matrix), 0);
        assert_true(fabs(mixed_bits(&matrix) - expected) < 1e-12);
        mixed_free(&matrix);
    }
    const struct mixed_options more = shares(0.25, 0.005);
    struct mixed_matrix matrix;
    assert_int_equal(mixed_quantize(w, 16, COLUMNS, &calibration, &more, &matrix), 0);
    const double outliers = matrix.outlier_end[15];
    assert_true(outliers > 0 && outliers <= 77); /* 0.005 * 16 * 960 = 76.8 */
    assert_true(fabs(mixed_bits(&matrix) - 364 * 8 / 1024. - 32 * (outliers + 16) / (16 * COLUMNS)) < 1e-12);
    mixed_free(&matrix);
    calibration_free(&calibration);
    free(w);
    free(x);
}

/* ---------------------------------------------------------------- errors */

TEST(errors_fall_with_bits)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        draw(seed);
        const double two = error_with(shares(0, 0)), tenth = error_with(shares(0.1, 0)),
                     quarter = error_with(shares(0.25, 0)), half = error_with(shares(0.5, 0)),
                     four = error_with(shares(1, 0));
        assert_true(two > tenth && tenth > quarter && quarter > half && half > four);
        const double fewest = error_with(shares(0.25, 0.002)), some = error_with(shares(0.25, 0.005)),
                     most = error_with(shares(0.25, 0.02));
        assert_true(quarter > fewest && fewest > some && some > most);
        forget();
    }
}

TEST(error_feedback_lowers_the_output_error)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        draw(seed);
        assert_true(error_with(with_feedback(0.25, 0)) < 0.9 * error_with(shares(0.25, 0)));
        assert_true(error_with(with_feedback(0.25, 0.005)) < 0.9 * error_with(shares(0.25, 0.005)));
        assert_true(error_with(with_feedback(1, 0)) < 0.9 * error_with(shares(1, 0)));
        forget();
    }
}

/** At equal bits: a quarter of the groups, and a quarter of layers that are alike. */
TEST(mixing_within_a_matrix_beats_mixing_layers)
{
    double within[2] = {0}, between[2] = {0};
    static const double share[2] = {0.125, 0.25};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        draw(seed);
        const double two = error_with(shares(0, 0)), four = error_with(shares(1, 0));
        for (size_t i = 0; i < 2; i++) {
            within[i] += error_with(shares(share[i], 0));
            between[i] += two - share[i] * (two - four); /* expected where no layer is better to raise than another */
        }
        forget();
    }
    assert_true(within[0] < between[0] && within[1] < between[1]);
}

/** Of outliers: those of 2-bit groups lose less than the largest of all groups, not less than the best of all groups. */
TEST(exclusive_outliers_beat_the_largest)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        draw(seed);
        const double exclusive = error_with(shares(0.25, 0.005)),
                     largest = error_with((struct mixed_options){0.25, 0.005, MIXED_OUTLIERS_LARGEST, false});
        assert_true(exclusive < largest);
        forget();
    }
}

/* ---------------------------------------------------------------- codes */

/** No other code of a weight is nearer, scales and zeros being what they are. */
TEST(codes_are_the_best_for_decoded_scales)
{
    struct mixed_matrix matrix;
    draw(1);
    quantize(shares(0.25, 0), &matrix);
    for (size_t at = 0; at < M * K; at++) {
        const size_t r = at / K, c = at % K;
        const struct mixed_tile *tile = &matrix.tile[r / 16 * matrix.groups + c / 16];
        const bool four = matrix.kind[c / 16] == MIXED_BITS4;
        const double scale2 = half_to_float(tile->scale2);
        const double scale = four ? scale2 : scale2 * (tile->scale[r % 16] - tile->zero2);
        const int zero = four ? tile->zero2 : tile->zero[r % 16];
        double least = HUGE_VAL;
        for (int code = 0; code < (four ? 16 : 4); code++)
            least = fmin(least, fabs((double)layer.w[at] - scale * (code - zero)));
        const double lost = fabs((double)layer.w[at] - scale * (tile->code[r % 16][c % 16] - zero));
        assert_true(lost <= least * (1 + 1e-9));
    }
    mixed_free(&matrix);
    forget();
}

TEST(outliers_are_added_to_2_bit_weights)
{
    static float dense[M * K], q[M * K];
    struct mixed_matrix matrix;
    draw(2);
    quantize(shares(0.25, 0.005), &matrix);
    mixed_decode(&matrix, q);
    const uint32_t count = matrix.outlier_end[M - 1];
    assert_int_equal(count, 2 * 21); /* 0.005 * 16 * 256 = 20.5, of each 16 rows */
    assert_int_equal(matrix.outlier_end[15], 21);
    memset(matrix.outlier_end, 0, M * sizeof *matrix.outlier_end);
    mixed_decode(&matrix, dense);
    size_t differ = 0;
    for (size_t i = 0; i < M * K; i++) {
        if (dense[i] == q[i])
            continue;
        differ++;
        assert_true(matrix.kind[i % K / 16] != MIXED_BITS4);
        assert_true(fabsf(q[i] - layer.w[i]) <= 0x1p-10f * fabsf(layer.w[i] - dense[i])); /* up to binary16 */
    }
    assert_int_equal(differ, count);
    mixed_free(&matrix);
    forget();
}

TEST(rows_past_the_last_do_not_matter)
{
    static float whole[M * K], part[M * K];
    struct mixed_matrix matrix;
    const struct mixed_options options = with_feedback(0.25, 0.002);
    draw(3);
    memset(layer.w + 19 * K, 0, (M - 19) * K * sizeof *layer.w);
    quantize(options, &matrix);
    mixed_decode(&matrix, whole);
    mixed_free(&matrix);
    assert_int_equal(mixed_quantize(layer.w, 19, K, &layer.calibration, &options, &matrix), 0);
    mixed_decode(&matrix, part);
    assert_memory_equal(whole, part, 19 * K * sizeof *whole);
    mixed_free(&matrix);
    forget();
}

static int attempt(size_t m, size_t k, double four_bit, double outliers)
{
    struct mixed_matrix matrix;
    const struct mixed_options options = shares(four_bit, outliers);
    return mixed_quantize(layer.w, m, k, &layer.calibration, &options, &matrix);
}

TEST(what_is_none_is_refused)
{
    static const double bad[][2] = {{-0.1, 0}, {1.1, 0}, {NAN, 0}, {0.25, -1}, {0.25, 0.2}, {0.25, NAN}};
    draw(4);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(attempt(M, K, bad[i][0], bad[i][1]), -EINVAL);
    assert_int_equal(attempt(0, K, 0.25, 0), -EINVAL);
    assert_int_equal(attempt(M, K - 16, 0.25, 0), -EINVAL); /* calibrated for K columns */
    layer.calibration.k = K - 8;
    assert_int_equal(attempt(M, K - 8, 0.25, 0), -EINVAL);
    forget();
}

RUN_TESTS(NULL, NULL)
