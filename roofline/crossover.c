/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/crossover.h"

#include <math.h>

static int is_valid(const struct crossover_integers *integers)
{
    return integers->bytes > 0 && integers->gamma_dot > 0 && integers->gamma_up >= 0;
}

/* The n-th smallest of gamma / (p q), counted from 0; pairs are few. */
static double nth_per_pair(const double *pairs, const double *gammas, size_t count, size_t n)
{
    for (size_t i = 0; i < count; i++) {
        double value = gammas[i] / pairs[i];
        size_t below = 0, equal = 0;
        for (size_t j = 0; j < count; j++) {
            below += gammas[j] / pairs[j] < value;
            equal += gammas[j] / pairs[j] == value;
        }
        if (below <= n && n < below + equal)
            return value;
    }
    return NAN;
}

double crossover_cycles_per_pair(const double *pairs, const double *gammas, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(pairs[i] > 0 && gammas[i] > 0))
            return NAN;
    }
    if (count == 0)
        return NAN;
    return (nth_per_pair(pairs, gammas, count, (count - 1) / 2) + nth_per_pair(pairs, gammas, count, count / 2)) / 2;
}

/* Core cycles of the integers per output vector and token. */
static double integer_cycles(const struct crossover_integers *integers, double beta, double tokens)
{
    if (!is_valid(integers) || !(beta > 0 && tokens > 0))
        return NAN;
    return fmax(integers->bytes / (beta * tokens), integers->gamma_dot + integers->gamma_up / tokens);
}

double crossover_pairs(double cycles_per_pair, const struct crossover_integers *integers, double beta, double tokens)
{
    return cycles_per_pair > 0 ? integer_cycles(integers, beta, tokens) / cycles_per_pair : NAN;
}

/* The worst ratio of the least p q above a value; pairs INFINITY: there is none. */
static struct crossover_point next_above(const struct crossover_point *points, size_t count, double above)
{
    struct crossover_point next = {INFINITY, INFINITY};
    for (size_t i = 0; i < count; i++) {
        if (points[i].pairs > above && points[i].pairs <= next.pairs) {
            next.ratio = points[i].pairs < next.pairs ? points[i].ratio : fmin(next.ratio, points[i].ratio);
            next.pairs = points[i].pairs;
        }
    }
    return next;
}

double crossover_measured(const struct crossover_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(points[i].pairs > 0 && points[i].ratio > 0))
            return NAN;
    }
    if (count == 0)
        return NAN;
    struct crossover_point last = {0, INFINITY}, next = next_above(points, count, 0);
    while (isfinite(next.pairs) && next.ratio >= 1) {
        last = next;
        next = next_above(points, count, last.pairs);
    }
    if (!isfinite(next.pairs))
        return INFINITY;
    if (!(last.pairs > 0))
        return 0;
    double share = log(last.ratio) / (log(last.ratio) - log(next.ratio));
    return last.pairs * pow(next.pairs / last.pairs, share);
}
