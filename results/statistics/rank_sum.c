/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/statistics/rank_sum.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"

static bool is_exact(size_t m, size_t n)
{
    return m * n <= RANK_SUM_EXACT;
}

/*
 * The number of ways to get U = u is a coefficient of the Gaussian binomial, the product over i = 1 … m of
 * (1 - q^(n+i)) / (1 - q^i). After each i the product is itself such a binomial, so its coefficients stay counts.
 * Only the lower half is made: the distribution is symmetric.
 */
static double *ways(size_t m, size_t n)
{
    size_t half = m * n / 2;
    double *count = need(half + 1, sizeof *count);
    if (!count)
        return NULL;
    count[0] = 1;
    for (size_t i = 1; i <= m; i++) {
        for (size_t u = half + 1; u-- > n + i;)
            count[u] -= count[u - n - i];
        for (size_t u = i; u <= half; u++)
            count[u] += count[u - i];
    }
    return count;
}

/** C(m + n, m). */
static double all_ways(size_t m, size_t n)
{
    double all = 1;
    for (size_t i = 1; i <= m; i++)
        all *= (double)(n + i) / (double)i;
    return all;
}

static double normal_probability(size_t m, size_t n, double u)
{
    double pairs = (double)m * (double)n, deviation = sqrt(pairs * (double)(m + n + 1) / 12);
    return 0.5 * erfc((0.5 * pairs - u - 0.5) / deviation * M_SQRT1_2);
}

double rank_sum_probability(size_t m, size_t n, size_t u)
{
    if (u >= m * n)
        return 1;
    if (!is_exact(m, n))
        return normal_probability(m, n, (double)u);
    double *count = ways(m, n), sum = 0;
    if (!count)
        return NAN;
    /* P(U <= u) = 1 - P(U <= mn - u - 1) */
    bool upper_half = u > (m * n - 1) / 2;
    size_t last = upper_half ? m * n - u - 1 : u;
    for (size_t i = 0; i <= last; i++)
        sum += count[i];
    free(count);
    sum /= all_ways(m, n);
    return upper_half ? 1 - sum : sum;
}

static long exact_critical(size_t m, size_t n, double alpha)
{
    double *count = ways(m, n), sum = 0;
    if (!count)
        return -1;
    /* a hair of slack, as in signed_rank_critical */
    double allowed = alpha * (1 + 1e-12) * all_ways(m, n);
    size_t u = 0;
    while (u <= m * n / 2 && (sum += count[u]) <= allowed)
        u++;
    free(count);
    return (long)u - 1;
}

long rank_sum_critical(size_t m, size_t n, double alpha)
{
    if (m == 0 || n == 0)
        return -1;
    if (is_exact(m, n))
        return exact_critical(m, n, alpha);
    long below = -1, above = (long)(m * n / 2); /* P grows with u: halve the stretch that holds the change */
    while (above - below > 1) {
        long middle = below + (above - below) / 2;
        if (normal_probability(m, n, (double)middle) <= alpha)
            below = middle;
        else
            above = middle;
    }
    return below;
}

/** Differences of all pairs; NULL for a value that is not finite, an empty sample, or without memory. */
static double *differences(const double *base, size_t m, const double *head, size_t n)
{
    double *difference = m && n ? need(m * n, sizeof *difference) : NULL;
    for (size_t i = 0; difference && i < m * n; i++) {
        difference[i] = head[i % n] - base[i / n];
        if (!isfinite(difference[i])) {
            free(difference);
            return NULL;
        }
    }
    return difference;
}

double rank_sum_estimate(const double *base, size_t m, const double *head, size_t n)
{
    double *difference = differences(base, m, head, n);
    if (!difference)
        return NAN;
    double median = stats_middle(difference, m * n);
    free(difference);
    return median;
}

double rank_sum_p_above(const double *base, size_t m, const double *head, size_t n)
{
    double *difference = differences(base, m, head, n);
    if (!difference)
        return NAN;
    size_t not_above = 0;
    for (size_t i = 0; i < m * n; i++)
        not_above += difference[i] <= 0;
    free(difference);
    return rank_sum_probability(m, n, not_above);
}

static double bound(const double *base, size_t m, const double *head, size_t n, double alpha, bool high)
{
    double *difference = differences(base, m, head, n);
    if (!difference)
        return NAN;
    long critical = rank_sum_critical(m, n, alpha);
    double value = high ? INFINITY : -INFINITY;
    if (critical >= 0)
        value = stats_ranked(difference, m * n, high ? m * n - 1 - (size_t)critical : (size_t)critical);
    free(difference);
    return value;
}

double rank_sum_lower(const double *base, size_t m, const double *head, size_t n, double alpha)
{
    return bound(base, m, head, n, alpha, false);
}

double rank_sum_upper(const double *base, size_t m, const double *head, size_t n, double alpha)
{
    return bound(base, m, head, n, alpha, true);
}
