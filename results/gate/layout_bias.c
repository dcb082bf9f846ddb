/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/gate/layout_bias.h"

#include <math.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/resample.h"
#include "results/statistics/stats.h"

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
    double *distance = are_valid(medians, count) ? need(count * (count - 1) / 2, sizeof *distance) : NULL;
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

double layout_bias_net(double distance, double noise)
{
    if (isnan(distance) || isnan(noise))
        return NAN;
    return distance > noise ? sqrt(distance * distance - noise * noise) : 0;
}

/* ---- from samples ---- */

/** With 99 of them the share that is as far apart has the exact level of a permutation test: (1 + count) / 100. */
enum { SHUFFLES = 99, AS_FAR_MOST = 4 };

struct rounds {
    double *log; /* [rounds][levels], without the median of its round; NaN: rejected */
    double *scratch, *level;
    size_t rounds, levels;
};

/** Logarithms of a round, less their median; nothing of one that was disturbed for more than half. */
static void take_round(struct rounds *all, const double *time, size_t round)
{
    double *log_of = all->log + round * all->levels;
    size_t kept = 0;
    for (size_t l = 0; l < all->levels; l++) {
        log_of[l] = time[l] > 0 && isfinite(time[l]) ? log(time[l]) : NAN;
        if (isfinite(log_of[l]))
            all->scratch[kept++] = log_of[l];
    }
    double median = 2 * kept >= all->levels ? stats_median(all->scratch, kept) : NAN;
    for (size_t l = 0; l < all->levels; l++)
        log_of[l] -= median;
}

/** Medians of the levels, as ratios to that of the rounds; false where a level has too few. */
static int take_levels(struct rounds *all)
{
    for (size_t l = 0; l < all->levels; l++) {
        size_t kept = 0;
        for (size_t r = 0; r < all->rounds; r++) {
            double value = all->log[r * all->levels + l];
            if (isfinite(value))
                all->scratch[kept++] = value;
        }
        if (kept < STATS_KEPT_LEAST)
            return 0;
        all->level[l] = exp(stats_median(all->scratch, kept));
    }
    return 1;
}

static void shuffle(struct rounds *all, struct resample_random *random)
{
    for (size_t r = 0; r < all->rounds; r++) {
        double *value = all->log + r * all->levels;
        for (size_t i = all->levels; i > 1; i--) {
            size_t j = resample_below(random, i);
            double swap = value[i - 1];
            value[i - 1] = value[j];
            value[j] = swap;
        }
    }
}

/** Median of the distances that shuffles have, and how many are as far apart as the levels. NaN: a level had too few. */
static double noise_of(struct rounds *all, double distance, size_t *as_far)
{
    struct resample_random random = {1};
    double shuffled[SHUFFLES];
    *as_far = 0;
    for (size_t i = 0; i < SHUFFLES; i++) {
        shuffle(all, &random);
        shuffled[i] = take_levels(all) ? layout_bias_distance(all->level, all->levels) : NAN;
        if (isnan(shuffled[i]))
            return NAN;
        *as_far += shuffled[i] >= distance;
    }
    return stats_median(shuffled, SHUFFLES);
}

static void measure(struct rounds *all, struct layout_bias *bias)
{
    size_t as_far;
    if (!take_levels(all))
        return;
    bias->spread = layout_bias_spread(all->level, all->levels);
    bias->distance = layout_bias_distance(all->level, all->levels);
    bias->noise = noise_of(all, bias->distance, &as_far);
    bias->net = as_far > AS_FAR_MOST && bias->noise >= 0 ? 0 : layout_bias_net(bias->distance, bias->noise);
}

struct layout_bias layout_bias_of(const double *times, size_t rounds, size_t levels)
{
    struct layout_bias bias = {NAN, NAN, NAN, NAN};
    size_t most = rounds > levels ? rounds : levels;
    struct rounds all = {
        .log = need(rounds * levels + 1, sizeof(double)),
        .scratch = need(most + 1, sizeof(double)),
        .level = need(levels + 1, sizeof(double)),
        .rounds = rounds,
        .levels = levels,
    };
    if (all.log && all.scratch && all.level) {
        for (size_t r = 0; r < rounds; r++)
            take_round(&all, times + r * levels, r);
        measure(&all, &bias);
    }
    free(all.log);
    free(all.scratch);
    free(all.level);
    return bias;
}
