/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROOFLINE_GEMM_H
#define ROOFLINE_GEMM_H

#include <stdbool.h>
#include <stddef.h>

#include "roofline/interval.h"

/**
 * The model of N tokens. A weight that was read and up-converted is used N times: per output vector of 32 weights
 *
 *     memory     B / beta cycles, once for all tokens
 *     computing  gamma_up + N gamma_dot cycles, so gamma(N) = gamma_dot + gamma_up / N per token
 *
 * and the time of a vector is the longer of both, less what does not overlap (roofline/overlap.h). Computing binds above
 *
 *     N* = (B / beta - gamma_up) / gamma_dot
 *
 * At N tokens three roofs bound the speed: memory, 64 N beta / B operations a cycle; up-converting, 64 N / gamma_up; and
 * multiplying, 64 / gamma of the multiplications alone, which is measured and not fitted.
 *
 * Pure functions; cycles are those of one core; NaN for an argument out of range.
 */
enum { GEMM_VECTOR_OPERATIONS = 64, GEMM_POINTS_MOST = 64 };

/** One measured number of tokens. */
struct gemm_point {
    double tokens;        /* > 0 */
    double cycles;        /* of a core per output vector, all tokens together, > 0 */
    double memory_cycles; /* B / beta of where its weights are read from; NaN: not known */
};

/**
 * Whether a point tells what computing takes: it takes a quarter longer than reading should, and than the least of all
 * points. How a kernel reads a matrix that it multiplies with few tokens is not what it computes with many.
 * @param least  the least cycles of all points
 */
bool gemm_point_tells(const struct gemm_point *point, double least);

/** Both terms, and how far each moves when any one point is left out. */
struct gemm_fit {
    double dot, up;                      /* gamma_dot > 0, gamma_up >= 0; NaN: they cannot be told */
    struct interval dot_range, up_range; /* NaN ends from fewer than 3 points */
    size_t points;                       /* that tell, of those given */
};

/**
 * Fit gamma_up + N gamma_dot to the points that tell: the line with the least sum of |relative errors|, which one wrong
 * point does not move; gamma_up of a line that falls below 0 is 0. Two different numbers of tokens that tell are needed.
 */
struct gemm_fit gemm_fit(const struct gemm_point *points, size_t count);

/** Cycles per output vector of computing, and of the whole. */
double gemm_computing(const struct gemm_fit *fit, double tokens);
double gemm_cycles(const struct gemm_fit *fit, double tokens, double memory_cycles);

/** N*; below 1 where computing binds from the first token on. */
double gemm_knee(const struct gemm_fit *fit, double memory_cycles);

/** Operations a core cycle of one core that each roof allows at N tokens; infinite or NaN where there is none. */
struct gemm_roofs {
    double memory, up_convert, multiply;
};
struct gemm_roofs gemm_roofs(const struct gemm_fit *fit, double tokens, double memory_cycles, double multiply_gamma);

/** Name of the lowest roof: "memory", "up-convert", "multiply"; NULL where memory or the fit is not known. */
const char *gemm_binds(const struct gemm_roofs *roofs);

#endif
