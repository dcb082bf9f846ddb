/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/gate/roof_control.h"

#include <math.h>
#include <stdbool.h>

static bool is_known(const struct roof_pairs *pairs, size_t i)
{
    return pairs->base_roof[i] > 0 && pairs->head_roof[i] > 0 && pairs->base[i] > 0 && pairs->head[i] > 0;
}

/** Mean of the two sides' logarithms. */
static double mean_of(double base, double head)
{
    return (log(base) + log(head)) / 2;
}

double roof_control_slope(const struct roof_pairs *pairs)
{
    double cell = 0, roof = 0, both = 0, square = 0;
    size_t known = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        if (!is_known(pairs, i))
            continue;
        cell += mean_of(pairs->base[i], pairs->head[i]);
        roof += mean_of(pairs->base_roof[i], pairs->head_roof[i]);
        known++;
    }
    if (known < ROOF_CONTROL_LEAST)
        return 0;
    for (size_t i = 0; i < pairs->count; i++) {
        if (!is_known(pairs, i))
            continue;
        double of_roof = mean_of(pairs->base_roof[i], pairs->head_roof[i]) - roof / (double)known;
        both += of_roof * (mean_of(pairs->base[i], pairs->head[i]) - cell / (double)known);
        square += of_roof * of_roof;
    }
    return square > 0 ? fmax(0, fmin(1, both / square)) : 0;
}

double roof_control_head(const struct roof_pairs *pairs, size_t i, double slope)
{
    return is_known(pairs, i) ? pairs->head[i] * pow(pairs->base_roof[i] / pairs->head_roof[i], slope) : pairs->head[i];
}
