/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed_ranges.h.
 */
#include "micro/quantization/mixed_ranges.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "micro/quantization/mixed_choice.h"

const double mixed_range_shares[MIXED_RANGE_SHARES] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

static double range_of(const float *w)
{
    float least = w[0], most = w[0];
    for (size_t c = 1; c < MIXED_GROUP; c++) {
        least = fminf(least, w[c]);
        most = fmaxf(most, w[c]);
    }
    return (double)most - (double)least;
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void at_shares(double *range, size_t count, double at[MIXED_RANGE_SHARES])
{
    qsort(range, count, sizeof *range, by_size);
    const double half = range[mixed_count(0.5, count) - 1];
    for (size_t i = 0; i < MIXED_RANGE_SHARES; i++)
        at[i] = half > 0 ? range[mixed_count(mixed_range_shares[i], count) - 1] / half : (double)NAN;
}

int mixed_ranges_of(const float *w, size_t m, size_t k, struct mixed_ranges *ranges)
{
    const size_t groups = k / MIXED_GROUP;
    double *rows = malloc(m * groups * sizeof *rows), *columns = calloc(groups, sizeof *columns);
    if (rows && columns) {
        for (size_t i = 0; i < m * groups; i++) {
            rows[i] = range_of(w + i * MIXED_GROUP);
            columns[i % groups] += rows[i] / (double)m;
        }
        at_shares(rows, m * groups, ranges->rows);
        at_shares(columns, groups, ranges->columns);
    }
    const int error = rows && columns ? 0 : -ENOMEM;
    free(rows);
    free(columns);
    return error;
}
