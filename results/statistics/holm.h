/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * Holm's step-down procedure: of n hypotheses tested together, the chance that any true one is rejected stays at most
 * alpha, whatever their dependence.
 *
 * The i-th smallest p (i from 0) is held against alpha / (n - i); the first that is larger ends it. Each hypothesis
 * gets the level that it was held against; those after the end get that of the end. A bound computed at this level
 * excludes zero exactly when Holm rejects.
 *
 * @param p      in [0, 1]; NaN counts as 1
 * @param level  out, one each
 * @return 0, -ENOMEM
 */
int holm_levels(const double *p, size_t n, double alpha, double *level);

/** Adjusted p: the smallest alpha at which Holm rejects, at most 1. @return 0, -ENOMEM */
int holm_adjust(const double *p, size_t n, double *adjusted);
