/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Discovery of codebooks: centroids are the best there are, the error never rises, the same seed gives the same, those of one distribution
 * serve another, and bad input is refused.
 */
#include "micro/quantization/codebooks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"
#include "unit_test.h"

enum { VALUES = 255, LENGTH = 16 * 2000 };

/** The least distance of any two centroids, by trying them all. */
static double least_of_two(const double *counts)
{
    double least = HUGE_VAL;
    for (int a = -127; a <= 127; a += 1) {
        for (int b = a + 1; b <= 127; b++) {
            int8_t centroid[2] = {(int8_t)a, (int8_t)b};
            least = fmin(least, codebooks_distance(counts, centroid, 2));
        }
    }
    return least;
}

TEST(centroids_are_the_best_there_are)
{
    uint64_t random = 1;
    for (int round = 0; round < 4; round++) {
        double counts[VALUES];
        int8_t centroid[2];
        for (int i = 0; i < VALUES; i++)
            counts[i] = random_bits(&random) % 8 ? 0 : (double)(random_bits(&random) % 100);
        codebooks_centroids(counts, 2, centroid);
        assert_true(centroid[0] < centroid[1]);
        /* rounding is all that is lost */
        assert_true(codebooks_distance(counts, centroid, 2) <= least_of_two(counts) * 1.0001);
    }
}

TEST(few_values_are_met_exactly)
{
    double counts[VALUES] = {0};
    int8_t centroid[4];
    counts[-127 + 127] = 3;
    counts[5 + 127] = 1;
    counts[90 + 127] = 2;
    codebooks_centroids(counts, 4, centroid);
    assert_true(codebooks_distance(counts, centroid, 4) == 0);
    for (int i = 1; i < 4; i++)
        assert_true(centroid[i - 1] <= centroid[i]);
    counts[90 + 127] = 0;
    counts[5 + 127] = 0;
    codebooks_centroids(counts, 4, centroid);
    assert_true(codebooks_distance(counts, centroid, 4) == 0);
}

static float *draw(uint64_t seed, int kind)
{
    float *w = malloc(LENGTH * sizeof *w);
    assert_non_null(w);
    for (size_t i = 0; i < LENGTH; i++) {
        float a = random_float(&seed), b = random_float(&seed), c = random_float(&seed);
        w[i] = kind == 0 ? a : kind == 1 ? a + b + c : a * b * c;
    }
    return w;
}

TEST(the_error_never_rises)
{
    for (int kind = 0; kind < 3; kind++) {
        float *w = draw(7, kind);
        for (size_t count = 1; count <= 16; count *= 4) {
            struct codebooks found;
            assert_int_equal(codebooks_discover(w, LENGTH, count, 4, 1, &found), 0);
            assert_int_equal(found.groups, LENGTH / 16);
            assert_in_range(found.rounds, 0, CODEBOOKS_ROUNDS);
            for (size_t i = 1; i <= found.rounds; i++)
                assert_true(found.error[i] <= found.error[i - 1]);
            for (size_t c = 0; c < count; c++) {
                for (size_t i = 1; i < 4; i++)
                    assert_true(found.value[c][i - 1] <= found.value[c][i]);
            }
        }
        free(w);
    }
}

TEST(more_codebooks_err_less)
{
    struct codebooks one, four, wide;
    float *w = draw(3, 1);
    assert_int_equal(codebooks_discover(w, LENGTH, 1, 4, 1, &one), 0);
    assert_int_equal(codebooks_discover(w, LENGTH, 4, 4, 1, &four), 0);
    assert_int_equal(codebooks_discover(w, LENGTH, 4, 8, 1, &wide), 0);
    assert_true(four.error[four.rounds] < 0.95 * one.error[one.rounds]);
    assert_true(wide.error[wide.rounds] < 0.5 * four.error[four.rounds]);
    free(w);
}

/** Squared distance of 16 weights, their largest 127, from the codebook that has the nearest values. */
static double group_error(const struct codebooks *found, const float *w, float unit)
{
    double best = HUGE_VAL;
    for (size_t c = 0; c < found->count; c++) {
        double error = 0;
        for (size_t i = 0; i < 16; i++) {
            double nearest = HUGE_VAL;
            for (size_t j = 0; j < found->entries; j++)
                nearest = fmin(nearest, fabs((double)(w[i] / unit) - found->value[c][j]));
            error += nearest * nearest;
        }
        best = fmin(best, error);
    }
    return best;
}

/** The same with as many values as Q2_K has: evenly from the smallest weight, or 0, to the largest. */
static double even_error(const float *w, float unit)
{
    float least = 0, most = 0;
    double error = 0;
    for (size_t i = 0; i < 16; i++) {
        least = fminf(least, w[i]);
        most = fmaxf(most, w[i]);
    }
    for (size_t i = 0; i < 16; i++) {
        float step = (most - least) / 3, off = w[i] - least - roundf((w[i] - least) / step) * step;
        error += (double)(off / unit) * (double)(off / unit);
    }
    return error;
}

TEST(codebooks_of_one_distribution_serve_another)
{
    struct codebooks found[3];
    for (int kind = 0; kind < 3; kind++) {
        float *w = draw(11, kind);
        assert_int_equal(codebooks_discover(w, LENGTH, 4, 4, 1, &found[kind]), 0);
        free(w);
    }
    for (int kind = 0; kind < 3; kind++) {
        float *w = draw(12, kind);
        double error[3] = {0}, even = 0;
        for (size_t i = 0; i < LENGTH; i += 16) {
            float most = 0;
            for (size_t j = 0; j < 16; j++)
                most = fmaxf(most, fabsf(w[i + j]));
            for (int from = 0; from < 3; from++)
                error[from] += group_error(&found[from], w + i, most / 127);
            even += even_error(w + i, most / 127);
        }
        for (int from = 0; from < 3; from++) {
            assert_true(error[kind] <= error[from]);
            assert_true(error[from] < 1.5 * error[kind]);
            assert_true(error[from] < even);
        }
        free(w);
    }
}

TEST(the_same_seed_gives_the_same)
{
    struct codebooks first, second;
    float *w = draw(5, 2);
    assert_int_equal(codebooks_discover(w, LENGTH, 4, 4, 17, &first), 0);
    assert_int_equal(codebooks_discover(w, LENGTH, 4, 4, 17, &second), 0);
    assert_memory_equal(first.value, second.value, sizeof first.value);
    /* a scale of the weights, a power of two, changes nothing */
    for (size_t i = 0; i < LENGTH; i++)
        w[i] *= 4;
    assert_int_equal(codebooks_discover(w, LENGTH, 4, 4, 17, &second), 0);
    assert_memory_equal(first.value, second.value, sizeof first.value);
    free(w);
}

TEST(bad_input_is_refused)
{
    struct codebooks found;
    float w[32] = {0};
    assert_int_equal(codebooks_discover(w, 32, 1, 4, 1, &found), -ENODATA);
    w[0] = 1;
    assert_int_equal(codebooks_discover(w, 32, 1, 4, 1, &found), 0);
    assert_int_equal(codebooks_discover(w, 32, 2, 4, 1, &found), -ENODATA);
    assert_int_equal(codebooks_discover(w, 31, 1, 4, 1, &found), -EINVAL);
    assert_int_equal(codebooks_discover(w, 0, 1, 4, 1, &found), -EINVAL);
    assert_int_equal(codebooks_discover(w, 32, 0, 4, 1, &found), -EINVAL);
    assert_int_equal(codebooks_discover(w, 32, 17, 4, 1, &found), -EINVAL);
    assert_int_equal(codebooks_discover(w, 32, 1, 17, 1, &found), -EINVAL);
    assert_int_equal(codebooks_discover(w, 32, 1, 1, 1, &found), -EINVAL);
    w[1] = NAN;
    assert_int_equal(codebooks_discover(w, 32, 1, 4, 1, &found), -EINVAL);
    w[1] = INFINITY;
    assert_int_equal(codebooks_discover(w, 32, 1, 4, 1, &found), -EINVAL);
}

RUN_TESTS(NULL, NULL)
