/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Matrices drawn from distributions that weights of models are likened to. */
enum synthetic_kind {
    SYNTHETIC_GAUSSIAN, /* standard normal */
    SYNTHETIC_STUDENT,  /* Student's t with 5 degrees of freedom: heavier tails */
    SYNTHETIC_LAPLACE,  /* scale 1 */
    SYNTHETIC_OUTLIERS, /* Gaussian, one column in 64 of 8 times the magnitude */
    SYNTHETIC_KINDS,
};

/** "gaussian", "student", "laplace", "outliers". */
const char *synthetic_name(enum synthetic_kind kind);

/** The kind of that name; SYNTHETIC_KINDS for none. */
enum synthetic_kind synthetic_find(const char *name);

/** Fill w[m][k]; the same seed gives the same weights. */
void synthetic_weights(enum synthetic_kind kind, size_t m, size_t k, uint64_t seed, float *w);

/**
 * Activations x[tokens][k] as a layer meets them: neighbouring columns correlate (first order, 0.5), and columns differ in magnitude
 * (log-normal, sigma 0.5).
 */
void synthetic_activations(size_t tokens, size_t k, uint64_t seed, float *x);

/** Magnitudes exp(sigma z), z standard normal. */
void synthetic_magnitudes(size_t count, double sigma, uint64_t seed, double *magnitude);
