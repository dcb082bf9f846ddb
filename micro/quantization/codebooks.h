/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_QUANTIZATION_CODEBOOKS_H
#define MICRO_QUANTIZATION_CODEBOOKS_H

#include <stddef.h>
#include <stdint.h>

/**
 * Discovery of codebooks for groups of 16 weights [arm-kernels-codebooks, 5.2, Algorithm 1; what the text of its equations lost is
 * reconstructed]. Each group is scaled so that its largest magnitude is 127 and rounded to integers; groups whose values are distributed
 * alike share a codebook:
 *
 *   1. a histogram of each group's values in 32 bins, normalised
 *   2. k-means of the histograms: first centres by k-means++, 50 rounds at most, Euclidean
 *   3. per cluster the centroids that are best for all of its values, by dynamic programming over the 255 integers, rounded to int8
 *   4. ours: each group to the codebook that reconstructs it best, then 3. again, 5 rounds at most, while the error falls
 *
 * Pure: the same weights and seed give the same codebooks.
 */
enum {
    CODEBOOKS_GROUP = 16,
    CODEBOOKS_BINS = 32,
    CODEBOOKS_COUNT_MOST = 16,
    CODEBOOKS_ENTRIES_MOST = 16,
    CODEBOOKS_GROUPS_MOST = 1 << 18, /* that discovery looks at: evenly spread over those there are */
    CODEBOOKS_ROUNDS = 5,
};

struct codebooks {
    size_t count, entries;
    int8_t value[CODEBOOKS_COUNT_MOST][CODEBOOKS_ENTRIES_MOST]; /* ascending */
    size_t groups;                                              /* that it was found from */
    size_t rounds;                                              /* of step 4 that were made */
    /* mean squared error of a value, in units of a group's largest magnitude / 127: after step 3, and after each round */
    double error[CODEBOOKS_ROUNDS + 1];
};

/**
 * @param w        weights, row-major; groups are 16 neighbours, those of zeros alone are not looked at
 * @param length   a multiple of 16
 * @param count    codebooks, 1 … CODEBOOKS_COUNT_MOST
 * @param entries  of each, 2 … CODEBOOKS_ENTRIES_MOST
 * @return 0, -EINVAL (sizes, or a weight that is not finite), -ENODATA (fewer groups that are not zeros than codebooks), -ENOMEM
 */
int codebooks_discover(const float *w, size_t length, size_t count, size_t entries, uint64_t seed,
                       struct codebooks *codebooks);

/**
 * Optimal 1-D k-means of integers -127 … 127 by dynamic programming: the centroids, rounded, ascending. With fewer distinct values than
 * entries the others repeat the last.
 *
 * @param counts  [255], how often value i - 127 occurs
 */
void codebooks_centroids(const double *counts, size_t entries, int8_t *centroid);

/** Sum of squared distances of this many values to the nearest centroid. */
double codebooks_distance(const double *counts, const int8_t *centroid, size_t entries);

#endif
