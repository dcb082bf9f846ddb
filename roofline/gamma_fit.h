/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * What binds an up-convert sequence, from gamma over the number A of independent accumulators. Pure functions.
 *
 *     gamma(A) = max(plateau, slope / A)
 *
 * The slope is the latency of the accumulator chain: cycles per output vector with one accumulator that is waited for
 * (times output vectors per dot product: the latency of one accumulation). The plateau is the throughput of the ports
 * or of the front end. [envelope] states the 2-bit gamma of 4 accumulators, 1.25, which is slope / 4 and not the
 * plateau.
 */
struct gamma_point {
    unsigned accumulators; /* > 0, ascending */
    double gamma;          /* core cycles per output vector, > 0 */
};

struct gamma_fit {
    double plateau;       /* cycles per vector; NaN if every point lies on the slope */
    double plateau_error; /* half of the middle half of the points on it, relative; 0 for a single point */
    double slope;         /* cycles per vector with one accumulator; NaN if no point lies on it */
    double slope_error;   /* as plateau_error */
    size_t on_slope;      /* leading points on the slope */
    double residual;      /* largest |gamma / fitted - 1| over the points */
};

/**
 * Fit by least absolute logarithms: the split into slope and plateau that leaves the smallest sum of |log(gamma /
 * fitted)|, medians on both sides, so that one disturbed point does not move it. A slope is only claimed where it
 * falls: by more than 5% from its first point to what follows.
 * @return 0, or -1 for fewer than two points or values out of range (everything NaN)
 */
int gamma_fit(const struct gamma_point *points, size_t count, struct gamma_fit *fit);

enum gamma_bound { GAMMA_UNKNOWN, GAMMA_LATENCY, GAMMA_FRONTEND, GAMMA_PORTS };

/**
 * What binds with that many accumulators: the latency if slope / A exceeds the plateau by over 5% (or no plateau was
 * reached), else the front end if the uops are issued at 95% of what the core issues at most, else the ports.
 * @param uops         of one output vector, fused
 * @param issue_width  uops per cycle that the front end issues; 0 or NaN if unknown (the front end is not named then)
 */
enum gamma_bound gamma_binds(const struct gamma_fit *fit, unsigned accumulators, double uops, double issue_width);

/** "latency", "frontend", "ports"; "" if unknown. */
const char *gamma_bound_name(enum gamma_bound bound);
