/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SIDE_BY_SIDE_H
#define REPORTS_SIDE_BY_SIDE_H

#include <stddef.h>

#include "reports/view.h"

/**
 * Runs side by side: the page of what the first run and at least one other measured alike. Read bandwidth by level and
 * team, the lowest gamma of a usable accumulator count by sequence, bandwidth by GEMV cell; the value of each run, and
 * its ratio to that of the first. Cells that are not valid (above the roof, wrong result) have no value.
 *
 * Nothing is judged here; `kneepoint compare` does that.
 */

#define SIDE_BY_SIDE_MAX 8

/** How many rows the first run shares with another one, over all tables. */
size_t side_by_side_common(const struct view *views, size_t count);

/** The whole page of 2 to SIDE_BY_SIDE_MAX runs; caller frees. NULL without memory. */
char *side_by_side_text(const struct view *views, size_t count, size_t *length);

#endif
