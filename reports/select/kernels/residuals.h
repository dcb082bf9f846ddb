/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/select/kernels/cells.h"

/**
 * How far GEMV cells are from what the model predicts of them: measured less predicted over predicted, of cells that
 * the model has not seen. Runs from before omega have residuals of max alone, from the roof beside each cell.
 */

/** What the model is meant to reach on the cells of our kernels. */
#define RESIDUAL_MEDIAN_AT_MOST 0.03 /* median size of a residual, cold, of at least CELLS_SMALL_WEIGHTS */
#define RESIDUAL_TENTH_AT_MOST  0.08 /* that nine of ten of them keep to */
#define RESIDUAL_SMALL_AT_MOST  0.10 /* median size, cold, of fewer weights */

/** With fewer cells nothing is said of their distribution. */
enum { RESIDUAL_CELLS_LEAST = 6 };

enum residual_model { RESIDUAL_MAX, RESIDUAL_OVERLAP };

/** Which cells. */
struct residual_query {
    const char *kernel; /* NULL: all */
    bool ours;          /* only kernels of ours */
    bool cold, small;
    bool with_overlap; /* only cells that have a residual of the overlap model, so that both are of the same cells */
};

struct residual_spread {
    size_t count;
    double median;                       /* signed; NaN without cells, as the others */
    double median_size;                  /* half are closer */
    double tenth_size;                   /* nine of ten are; NaN of fewer than RESIDUAL_CELLS_LEAST */
    double known_size, known_tenth_size; /* the same of half the 95% interval of their times, over the time */
    const json_t *worst;                 /* NULL without cells */
};

struct residual_spread residuals_of(const struct view *view, const struct residual_query *query,
                                    enum residual_model model);

/** "met", "missed", or "" where there are too few cells to say. */
const char *residuals_verdict(const struct residual_spread *spread, bool small);
