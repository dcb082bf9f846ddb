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

/** The part of its bytes that a core reads per unit of time while this many read, it among them. */
static double rate_among(size_t readers, size_t members, double shared, double memory)
{
    return fmin(1 / memory, (double)members / (shared * (double)readers));
}

/** The same while each of the others reads with a probability: between the two whole numbers that the mean lies between. */
static double rate_beside(double reading, size_t members, double shared, double memory)
{
    double readers = 1 + (double)(members - 1) * reading, whole = floor(readers);
    double above = readers > whole ? rate_among((size_t)whole + 1, members, shared, memory) : 0;
    return (1 - (readers - whole)) * rate_among((size_t)whole, members, shared, memory) + (readers - whole) * above;
}

double overlap_team_time(size_t members, double shared, double memory, double compute, double omega)
{
    double core = overlap_time(memory, compute, omega);
    if (isnan(core) || !(shared >= 0) || !isfinite(shared) || members == 0)
        return NAN;
    double not_reading = fmax(core - memory, 0), least = fmax(shared, core), most = least + not_reading;
    if (memory == 0 || shared == 0)
        return least;
    for (int i = 0; i < 60; i++) { /* the longer it takes, the more of it do the others read */
        double time = (least + most) / 2;
        double needed = not_reading + 1 / rate_beside(1 - not_reading / time, members, shared, memory);
        *(needed > time ? &least : &most) = time;
    }
    return most;
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
