/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

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
 * multiplying, 64 / gamma of the multiplications alone, which is measured and not fitted. A kernel on tiles has a fourth, between
 * memory and the multiplier: loading its operands.
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

/** Both terms, and how far each moves when any one point is left out. */
struct gemm_fit {
    double dot;                          /* gamma_dot > 0; NaN: it cannot be told */
    double up;                           /* gamma_up >= 0; NaN: not told, see up_why */
    double up_least;                     /* gamma_up, or if it is not told, the least that explains the points */
    struct interval dot_range, up_range; /* NaN ends from fewer than 3 points */
    size_t points;                       /* that tell, of those given */
    const char *up_why;                  /* NULL: it is told */
};

/**
 * Fit a line to the points that computing clearly binds: those of 4 times N* = B / beta / gamma_dot tokens and more, or
 * where those are fewer than three, of twice. How a kernel reads a matrix that it multiplies with few tokens is not what it
 * computes with many. The line has the least sum of |relative errors|, which one wrong point does not move, and no
 * negative intercept. Two different numbers of tokens that tell are needed.
 *
 * The slope is gamma_dot. The intercept is gamma_up and what of B / beta does not overlap, which may be none or all of
 * it: up_range is the intercept's, less all of that at its low end. gamma_up is the middle where the range is no wider
 * than half of it, and not told otherwise.
 */
struct gemm_fit gemm_fit(const struct gemm_point *points, size_t count);

/**
 * A fit whose gamma_up is known from elsewhere, for the roofs, N* and what binds; computing and the whole stay as fitted.
 * @param up  cycles per output vector, >= 0; NaN: the fit as it is
 */
struct gemm_fit gemm_fit_with_up(const struct gemm_fit *fit, double up);

/** Cycles per output vector of computing. */
double gemm_computing(const struct gemm_fit *fit, double tokens);

/** N* as gamma_up leaves it open; below 1 where computing binds from the first token on. */
struct interval gemm_knee_range(const struct gemm_fit *fit, double memory_cycles);
/** The middle of that, if it is below 1 or no wider than half of the middle; else NaN. */
double gemm_knee(const struct gemm_fit *fit, double memory_cycles);

/** Operations a core cycle of one core that each roof allows at N tokens; infinite or NaN where there is none. */
struct gemm_roofs {
    double memory, up_convert, multiply;
};
struct gemm_roofs gemm_roofs(const struct gemm_fit *fit, double tokens, double memory_cycles, double multiply_gamma);

/** What tiles take, as measured. Cycles of one that is loaded and multiplied, and of one that is only loaded; NaN: not known. */
struct gemm_operands {
    double operations;       /* of a product of two full tiles */
    double near, near_alone; /* from L1 */
    double far, far_alone;   /* from L2 */
};

/** Rows of a tile: of weights, and of tokens at most. */
enum { GEMM_TILE_ROWS = 16 };

/**
 * Operations a core cycle that the loads of operands allow at N tokens. A block of 2 x 2 products loads two tiles of weights and two of
 * tokens, one load a product; one operand comes from L1, the other from L2: (near + far) / 2 cycles a product. Of the tokens that full
 * blocks leave over, each 16 or less take two products, which take their part of a full one, and no less than a load alone.
 * @return NaN where a term is not known or tokens are not > 0
 */
double gemm_operand_roof(const struct gemm_operands *operands, double tokens);

/**
 * Core cycles per output vector as predicted from parts that were measured apart, nothing of it fitted to the kernel: the longer of reading,
 * and of unpacking, once, and then loading the operands of all products.
 * @param operand_roof  gemm_operand_roof() at these tokens
 * @param unpack        cycles per output vector, >= 0; 0 where weights lie as tiles
 * @return NaN where a part is not known
 */
double gemm_operand_cycles(double operand_roof, double tokens, double memory_cycles, double unpack);

/**
 * What binds at N tokens: "memory" below N*; above it the greater part of computing, "up-convert" or "multiply"; NULL where
 * memory or the fit is not known, or what gamma_up may be does not tell.
 */
const char *gemm_binds(const struct gemm_fit *fit, double tokens, double memory_cycles);

/** The same of a kernel on tiles: "operands" for "multiply" where the operand roof is the lower of the two. NaN: not known, or no tiles. */
const char *gemm_binds_tiles(const char *binds, double operand_roof, double multiply_roof);
