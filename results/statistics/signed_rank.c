/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/statistics/signed_rank.h"

#include <math.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"

static size_t walsh_count(size_t n)
{
    return n * (n + 1) / 2;
}

/*
 * Distribution of W = sum of those of the ranks 1 … n that a fair coin picks: rank after rank, the distribution so far
 * is mixed with itself moved up by the rank. Probabilities, not counts: 2^n overflows nothing.
 */
static double *distribution(size_t n)
{
    size_t most = walsh_count(n);
    double *probability = need(most + 1, sizeof *probability);
    if (!probability)
        return NULL;
    probability[0] = 1;
    for (size_t rank = 1, reached = 0; rank <= n; rank++) {
        reached += rank;
        for (size_t w = reached + 1; w-- > 0;)
            probability[w] = 0.5 * probability[w] + (w >= rank ? 0.5 * probability[w - rank] : 0);
    }
    return probability;
}

double signed_rank_probability(size_t n, size_t w)
{
    if (w >= walsh_count(n))
        return 1;
    double *probability = distribution(n), sum = 0;
    if (!probability)
        return NAN;
    for (size_t i = 0; i <= w; i++)
        sum += probability[i];
    free(probability);
    return sum;
}

long signed_rank_critical(size_t n, double alpha)
{
    double *probability = n ? distribution(n) : NULL, sum = 0;
    if (!probability)
        return -1;
    /* a hair of slack: 1/32 asked for with n = 5 is met exactly, and rounding must not take that away */
    double allowed = alpha * (1 + 1e-12);
    size_t w = 0;
    while (w < walsh_count(n) && (sum += probability[w]) <= allowed)
        w++;
    free(probability);
    return (long)w - 1;
}

/** Walsh averages; NULL for a value that is not finite, n == 0, or without memory. */
static double *walsh_averages(const double *difference, size_t n)
{
    double *average = n ? need(walsh_count(n), sizeof *average) : NULL;
    size_t count = 0;
    for (size_t i = 0; average && i < n; i++) {
        if (!isfinite(difference[i])) {
            free(average);
            return NULL;
        }
        for (size_t j = 0; j <= i; j++)
            average[count++] = 0.5 * difference[i] + 0.5 * difference[j];
    }
    return average;
}

double signed_rank_estimate(const double *difference, size_t n)
{
    double *average = walsh_averages(difference, n);
    if (!average)
        return NAN;
    double median = stats_middle(average, walsh_count(n));
    free(average);
    return median;
}

double signed_rank_p_above(const double *difference, size_t n)
{
    double *average = walsh_averages(difference, n);
    if (!average)
        return NAN;
    size_t not_above = 0;
    for (size_t i = 0; i < walsh_count(n); i++)
        not_above += average[i] <= 0;
    free(average);
    return signed_rank_probability(n, not_above);
}

/** The Walsh average with as many below it as the critical value allows, from the low end or the high one. */
static double bound(const double *difference, size_t n, double alpha, int high)
{
    double *average = walsh_averages(difference, n);
    if (!average)
        return NAN;
    long critical = signed_rank_critical(n, alpha);
    double value = high ? INFINITY : -INFINITY;
    if (critical >= 0 && (size_t)critical < walsh_count(n))
        value = stats_ranked(average, walsh_count(n), high ? walsh_count(n) - 1 - (size_t)critical : (size_t)critical);
    free(average);
    return value;
}

double signed_rank_lower(const double *difference, size_t n, double alpha)
{
    return bound(difference, n, alpha, 0);
}

double signed_rank_upper(const double *difference, size_t n, double alpha)
{
    return bound(difference, n, alpha, 1);
}
