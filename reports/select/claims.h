/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_CLAIMS_H
#define REPORTS_SELECT_CLAIMS_H

#include <stdbool.h>

#include "reports/select/view.h"

/** What the papers claim, beside what was measured. */

/**
 * A sequence is measured with several numbers of accumulators; the paper gives one gamma and not how many it had. The
 * row that comes closest to the claim is taken for how the paper ran it.
 */
bool claims_is_as_published(const struct view *view, const json_t *gamma);

/**
 * The columns that a paper's file of claims has under "values" (roofline/papers/<paper>.json), for a figure that shows
 * what a paper observed beside what is computed. New reference; NULL without such a paper.
 */
json_t *claims_values(const char *paper);

/** What a claim of the paper states, in its own unit; NaN without such a claim. */
double claims_stated(const char *paper, const char *id);

/** A figure of a column as the paper prints it, without its unit; NaN where the paper states none. */
double claims_value(const json_t *values, const char *column, size_t row);

#endif
