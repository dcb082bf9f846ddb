/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAPER_VALUES_H
#define REPORTS_PAPER_VALUES_H

#include <stddef.h>

/**
 * Figures as a paper prints them, for drawing beside what was measured: from roofline/papers/<paper>.json, which
 * travels inside the binary. Its verdicts and roundings are `kneepoint papers`' business.
 */

/** A column of "values". @return how many were written; the rest of values is NaN, as is all of an unknown column */
size_t paper_values(const char *paper, const char *column, double *values, size_t capacity);

/** What a claim states, in its own unit; NaN for an unknown claim. */
double paper_stated(const char *paper, const char *claim);

#endif
