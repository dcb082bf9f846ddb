/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "reports/page/page.h"
#include "reports/select/machines/outliers.h"
#include "reports/select/run/view.h"

/**
 * Runs side by side: the page of what both the first run and at least one other measured. Read bandwidth by level and
 * team, the lowest gamma of a usable accumulator count by sequence, bandwidth by GEMV cell; the value of each run, and
 * its ratio to that of the first. Cells that are not valid (above the roof, wrong result) have no value. More than
 * SIDE_BY_SIDE_MAX runs have no columns of their own.
 *
 * Nothing is judged here but which machine of a fleet is off (reports/select/machines/outliers.h); `kneepoint compare` does the
 * rest.
 */

#define SIDE_BY_SIDE_MAX 8

struct side_by_side {
    size_t count;             /* runs */
    const char *runs_html;    /* what side_by_side_run wrote of each */
    const struct page *page;  /* figures of all of them in one picture; NULL for more than SIDE_BY_SIDE_MAX */
    const struct view *views; /* of all of them, NULL for more than SIDE_BY_SIDE_MAX */
    const struct outliers *outliers;
};

/** Write one run's entry of the list that opens the page. */
void side_by_side_run(const struct view *view, size_t number, size_t count, FILE *html);

/** How many rows the first run shares with another one, over all tables. */
size_t side_by_side_common(const struct view *views, size_t count);

/** The whole page; caller frees. NULL without memory. */
char *side_by_side_text(const struct side_by_side *page, size_t *length);
