/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_KERNELS_LEAST_H
#define REPORTS_SELECT_KERNELS_LEAST_H

#include <stdbool.h>

#include "reports/select/run/view.h"

/**
 * Sequences that stand for their format where not all can be shown, some three hundred of them: the best of them, and the best
 * that others have published (reports/select/kernels/best.h), each at its best number of accumulators.
 */

/** Whether a gamma record is one of the two. No experiment is. */
bool least_is(const struct view *view, const json_t *gamma);

/** Whether a sequence is, by its name, or has no gamma at its best that could tell. */
bool least_is_named(const struct view *view, const char *sequence);

#endif
