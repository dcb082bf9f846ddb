/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outliers: those that were planted are found, never more than asked for or than help, in groups of 4 bits only where these are
 * searched.
 */
#include "micro/quantization/mixed_outliers.h"

#include <math.h>
#include <string.h>

#include "micro/isa/random.h"
#include "micro/quantization/mixed_choice.h"
#include "unit_test.h"

enum { ROWS = 16, K = 128, SIZE = ROWS * K };

static const uint8_t kind[K / MIXED_GROUP] = {0, MIXED_BITS4, 1, 0, 0, MIXED_BITS4, 1, 0};

static float w[SIZE];
static double importance[K];
static bool outlier[SIZE];

static bool is_four(size_t at)
{
    return kind[at % K / MIXED_GROUP] == MIXED_BITS4;
}

static void draw(uint64_t seed)
{
    uint64_t random = seed;
    for (size_t i = 0; i < SIZE; i++)
        w[i] = random_float(&random);
    for (size_t c = 0; c < K; c++)
        importance[c] = 1 + 0.5 * (double)random_float(&random);
}

static long mark(size_t rows, enum mixed_outlier_choice choice, size_t count)
{
    long marked = mixed_outliers_mark(w, rows, K, kind, importance, choice, count, outlier), there = 0;
    for (size_t i = 0; i < rows * K; i++)
        there += outlier[i];
    assert_int_equal(there, marked);
    return marked;
}

TEST(planted_ones_are_found)
{
    static const size_t planted[] = {5, K + 40, K + 41, 7 * K + 127, 15 * K + 70, 3 * K + 33};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        draw(seed);
        for (size_t i = 0; i < 6; i++)
            w[planted[i]] = i % 2 ? -9 : 9;
        w[20] = 50; /* of a group in 4 bits */
        assert_int_equal(mark(ROWS, MIXED_OUTLIERS_OF_2_BITS, 6), 6);
        for (size_t i = 0; i < 6; i++)
            assert_true(outlier[planted[i]]);
        assert_int_equal(mark(ROWS, MIXED_OUTLIERS_ANYWHERE, 1), 1);
        assert_true(outlier[20]);
    }
}

TEST(the_kind_of_group_is_minded)
{
    draw(2);
    assert_int_equal(mark(ROWS, MIXED_OUTLIERS_OF_2_BITS, SIZE),
                     mark(ROWS, MIXED_OUTLIERS_OF_2_BITS, SIZE / 2 + SIZE / 4));
    for (size_t i = 0; i < SIZE; i++)
        assert_false(outlier[i] && is_four(i));
    assert_int_equal(mark(ROWS, MIXED_OUTLIERS_LARGEST_OF_2_BITS, 20), 20);
    for (size_t i = 0; i < SIZE; i++) {
        assert_false(outlier[i] && is_four(i));
        for (size_t j = 0; j < SIZE && outlier[i]; j++)
            assert_true(outlier[j] || is_four(j) || fabsf(w[j]) <= fabsf(w[i]));
    }
    assert_int_equal(mark(ROWS, MIXED_OUTLIERS_LARGEST, 20), 20);
    for (size_t i = 0; i < SIZE; i++) { /* none that is not is larger than one that is */
        for (size_t j = 0; j < SIZE && outlier[i]; j++)
            assert_true(outlier[j] || (double)(w[j] * w[j]) * importance[j % K] * importance[j % K] <=
                                          (double)(w[i] * w[i]) * importance[i % K] * importance[i % K] * (1 + 1e-6));
    }
}

TEST(nothing_to_gain_is_not_taken)
{
    memset(w, 0, sizeof w);
    assert_int_equal(mark(ROWS, MIXED_OUTLIERS_OF_2_BITS, 10), 0);
    assert_int_equal(mark(ROWS, MIXED_OUTLIERS_ANYWHERE, 10), 0);
    assert_int_equal(mark(ROWS, MIXED_OUTLIERS_LARGEST, 10), 0);
    assert_int_equal(mark(ROWS, MIXED_OUTLIERS_LARGEST_OF_2_BITS, 10), 0);
    draw(3);
    assert_int_equal(mark(3, MIXED_OUTLIERS_ANYWHERE, 7), 7);
    assert_int_equal(mark(ROWS, MIXED_OUTLIERS_OF_2_BITS, 0), 0);
}

RUN_TESTS(NULL, NULL)
