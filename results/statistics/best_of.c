/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/statistics/best_of.h"

#include <math.h>

int half_of(const double *values, size_t n, struct best_of_half *half)
{
    struct summary summary;
    int error = stats_summarize(values, n, &summary);
    *half = (struct best_of_half){
        .median = stats_stated(&summary), .ci95 = {summary.ci95[0], summary.ci95[1]}, .n = summary.n};
    return error;
}

bool halves_compete(const struct best_of_half halves[HALVES])
{
    return isfinite(halves[HALF_CHOOSES].median) && isfinite(halves[HALF_REPORTS].median);
}

size_t best_of(const struct best_of_half (*candidates)[HALVES], size_t count, bool greatest)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (!halves_compete(candidates[i]))
            continue;
        double ahead = best == count ? 1 : candidates[best][HALF_CHOOSES].median - candidates[i][HALF_CHOOSES].median;
        if (best == count || (greatest ? ahead < 0 : ahead > 0))
            best = i;
    }
    return best;
}
