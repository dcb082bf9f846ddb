/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/layout_bias.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static int are_valid(const double *medians, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(medians[i] > 0) || !isfinite(medians[i]))
            return 0;
    }
    return count >= 2;
}

double layout_bias_spread(const double *medians, size_t count)
{
    if (!are_valid(medians, count))
        return NAN;
    double least = medians[0], most = medians[0];
    for (size_t i = 1; i < count; i++) {
        least = fmin(least, medians[i]);
        most = fmax(most, medians[i]);
    }
    return most / least - 1;
}

double layout_bias_distance(const double *medians, size_t count)
{
    size_t pairs = 0;
    double *distance = are_valid(medians, count) ? calloc(count * (count - 1) / 2, sizeof *distance) : NULL;
    if (!distance)
        return NAN;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++)
            distance[pairs++] = fabs(log(medians[i] / medians[j]));
    }
    qsort(distance, pairs, sizeof *distance, ascending);
    double percentile = distance[(size_t)ceil(0.95 * (double)pairs) - 1];
    free(distance);
    return percentile;
}

double layout_bias_net(double distance, double control)
{
    if (isnan(distance) || isnan(control))
        return NAN;
    return distance > control ? sqrt(distance * distance - control * control) : 0;
}
