/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "results/comparison/comparison.h"

/**
 * What the runs know that the time of a GEMV or GEMM is made of: gamma of its sequence, or gamma(N) N of the GEMM itself, its
 * clock, the roof beside it, and of a team the barrier. Head's numbers are base's times how each changed, so that they come from the same blocks as the verdict.
 * Pure.
 *
 * @param roof_effect  logarithm of the roof's time ratio beside the cell
 */
struct comparison_terms comparison_terms_make(const struct blocks *base, const struct blocks_cell *before,
                                              const struct blocks *head, const struct blocks_cell *after,
                                              double roof_effect);
