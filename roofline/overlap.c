/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/overlap.h"

#include <math.h>

#include "roofline/ebw.h"

double overlap_time(double memory, double compute, double omega)
{
    if (!(memory >= 0) || !(compute >= 0) || !isfinite(memory) || !isfinite(compute) || !isfinite(omega))
        return NAN;
    return memory + compute - omega * fmin(memory, compute);
}

double overlap_team_time(double shared, double memory, double compute, double omega)
{
    double core = overlap_time(memory, compute, omega);
    if (isnan(core) || !(shared >= 0) || !isfinite(shared))
        return NAN;
    return fmax(shared, core);
}

static double square(double x)
{
    return x * x;
}

/** Add what the ends of one quantity make of omega to the squares below and above it. */
static void spread(double omega, double at_low, double at_high, double *below, double *above)
{
    double low = fmin(fmin(at_low, at_high), omega), high = fmax(fmax(at_low, at_high), omega);
    /* fmin and fmax pass over NaN, which has to come through */
    *below += isnan(at_low + at_high) ? NAN : square(omega - low);
    *above += isnan(at_low + at_high) ? NAN : square(high - omega);
}

struct overlap_fit overlap_fit(struct overlap_measured time, struct overlap_measured memory,
                               struct overlap_measured compute)
{
    double omega = roofline_overlap(time.value, memory.value, compute.value), below = 0, above = 0;
    spread(omega, roofline_overlap(time.range.low, memory.value, compute.value),
           roofline_overlap(time.range.high, memory.value, compute.value), &below, &above);
    spread(omega, roofline_overlap(time.value, memory.range.low, compute.value),
           roofline_overlap(time.value, memory.range.high, compute.value), &below, &above);
    spread(omega, roofline_overlap(time.value, memory.value, compute.range.low),
           roofline_overlap(time.value, memory.value, compute.range.high), &below, &above);
    struct overlap_fit fit = {.omega = omega, .range = {omega - sqrt(below), omega + sqrt(above)}};
    if (isnan(fit.range.low) || isnan(fit.range.high))
        fit.range = (struct interval){NAN, NAN};
    return fit;
}

struct overlap_measured overlap_over(double numerator, struct overlap_measured denominator)
{
    return (struct overlap_measured){numerator / denominator.value,
                                     {numerator / denominator.range.high, numerator / denominator.range.low}};
}

struct overlap_measured overlap_times(struct overlap_measured measured, double factor)
{
    return (struct overlap_measured){measured.value * factor,
                                     {measured.range.low * factor, measured.range.high * factor}};
}
