/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/gamma_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 64 };
static const double tolerance = 0.05;
static const double tie = 0.002; /* of two splits that fit as well, the one with fewer points on the slope */

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/** Quantile of sorted values, between neighbours in proportion. */
static double quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t low = (size_t)at;
    return low + 1 < count ? sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

/** Median of values[count], and half of the range of their middle half relative to it; NaN for none. */
static double middle(double *values, size_t count, double *error)
{
    *error = NAN;
    if (!count)
        return NAN;
    qsort(values, count, sizeof *values, ascending);
    double median = quantile(values, count, 0.5);
    *error = (quantile(values, count, 0.75) - quantile(values, count, 0.25)) / 2 / median;
    return median;
}

/** The first on_slope points on the slope, the others on the plateau. */
static struct gamma_fit split(const struct gamma_point *points, size_t count, size_t on_slope)
{
    double slopes[POINTS_MAX], plateaus[POINTS_MAX];
    struct gamma_fit fit = {.on_slope = on_slope};
    for (size_t i = 0; i < count; i++) {
        if (i < on_slope)
            slopes[i] = points[i].gamma * points[i].accumulators;
        else
            plateaus[i - on_slope] = points[i].gamma;
    }
    fit.slope = middle(slopes, on_slope, &fit.slope_error);
    fit.plateau = middle(plateaus, count - on_slope, &fit.plateau_error);
    return fit;
}

static double fitted(const struct gamma_fit *fit, unsigned accumulators)
{
    return fmax(fit->plateau, fit->slope / accumulators); /* fmax leaves out a NaN */
}

static double absolute_logarithms(const struct gamma_fit *fit, const struct gamma_point *points, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(log(points[i].gamma / fitted(fit, points[i].accumulators)));
    return sum;
}

/** A slope must fall below where it begins by more than noise does. */
static int falls(const struct gamma_fit *fit, const struct gamma_point *points, size_t count)
{
    double end = fitted(fit, points[count - 1].accumulators);
    return points[0].gamma > (1 + tolerance) * end;
}

int gamma_fit(const struct gamma_point *points, size_t count, struct gamma_fit *fit)
{
    *fit = (struct gamma_fit){.plateau = NAN, .plateau_error = NAN, .slope = NAN, .slope_error = NAN, .residual = NAN};
    if (count < 2 || count > POINTS_MAX)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (!points[i].accumulators || !(points[i].gamma > 0) || !isfinite(points[i].gamma) ||
            (i && points[i].accumulators <= points[i - 1].accumulators))
            return -1;
    }
    double least = INFINITY;
    for (size_t on_slope = 0; on_slope <= count; on_slope++) {
        struct gamma_fit tried = split(points, count, on_slope);
        if (on_slope && !falls(&tried, points, count))
            continue;
        double sum = absolute_logarithms(&tried, points, count);
        if (sum < least - tie) {
            least = sum;
            *fit = tried;
        }
    }
    /* of splits that fit equally well the first was taken: later points that also lie on the slope belong to it */
    while (fit->on_slope && fit->on_slope < count &&
           fabs(points[fit->on_slope].gamma * points[fit->on_slope].accumulators / fit->slope - 1) <= tolerance)
        *fit = split(points, count, fit->on_slope + 1);
    fit->residual = 0;
    for (size_t i = 0; i < count; i++)
        fit->residual = fmax(fit->residual, fabs(points[i].gamma / fitted(fit, points[i].accumulators) - 1));
    return 0;
}

enum gamma_bound gamma_binds(const struct gamma_fit *fit, unsigned accumulators, double uops, double issue_width)
{
    double chain = fit->slope / accumulators;
    if (!accumulators || (!isfinite(chain) && !isfinite(fit->plateau)))
        return GAMMA_UNKNOWN;
    if (isfinite(chain) && !(chain <= (1 + tolerance) * fit->plateau)) /* a plateau that is NaN too */
        return GAMMA_LATENCY;
    double per_cycle = uops / fmax(fit->plateau, chain);
    return issue_width > 0 && per_cycle >= 0.95 * issue_width ? GAMMA_FRONTEND : GAMMA_PORTS;
}

const char *gamma_bound_name(enum gamma_bound bound)
{
    static const char *const names[] = {"", "latency", "frontend", "ports"};
    return (unsigned)bound < sizeof names / sizeof *names ? names[bound] : "";
}
