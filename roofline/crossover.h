/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Where a bit-serial product is faster than one of integers. Weights of p bits and activations of q bits are p q products of
 * planes, so that computing takes
 *
 *     gamma = c p q          core cycles per output vector of 32 weights and token,
 *
 * where integers of 8 bits take the same for whatever they hold; and planes are 4 p bytes of an output vector, where integers
 * have the bytes of their width. Of both the time of a vector and token is the longer of reading and computing,
 *
 *     t(N) = max(B / (beta N), gamma_dot + gamma_up / N)                                 (roofline/gemm.h)
 *
 * Planes that are no more bytes than the integers are then faster up to p q = t(N) / c of the integers: a hyperbola while these
 * wait for memory, and flat where they compute.
 *
 * Pure functions; NaN for an argument out of range. beta is in bytes per core cycle of a core while the team reads.
 */

/** The integers: packed bytes of an output vector, core cycles to multiply it for a token, and to up-convert it once. */
struct crossover_integers {
    double bytes;     /* > 0 */
    double gamma_dot; /* > 0 */
    double gamma_up;  /* >= 0 */
};

/** c: the median of gamma / (p q) of what was measured; of no measurement NaN. pairs[] and gammas[] > 0. */
double crossover_cycles_per_pair(const double *pairs, const double *gammas, size_t count);

/** The largest p q with which planes are as fast as the integers, these being no fewer bytes. */
double crossover_pairs(double cycles_per_pair, const struct crossover_integers *integers, double beta, double tokens);

/** One that was measured: p q, and how much faster planes were (above 1) than the integers. */
struct crossover_point {
    double pairs, ratio; /* both > 0 */
};

/**
 * Where the ratio becomes 1 as p q grows, between the largest p q that wins with all smaller ones and the next, on logarithmic
 * scales. Points of equal p q count as the slower of them.
 * @return INFINITY where all win, 0 where the smallest does not, NaN without points
 */
double crossover_measured(const struct crossover_point *points, size_t count);
