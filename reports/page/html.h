/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "results/statistics/stats.h"

/** Writing HTML whose text comes from records, which anybody may have written. */

/** `<td>` with text. */
void html_cell(FILE *html, const char *text);

/** `<td>` with a number, sorted by as it is shown; a dash for NaN. Its column is one of numbers. format takes one double. */
void html_number(FILE *html, const char *format, double value);

/** Text in which what stands between two ` is a command. */
void html_prose(FILE *html, const char *text);

/**
 * `<td>` with a number and its 95% interval, "6.43 [6.29, 6.49]" or, without an upper end, "6.43 [6.29, ∞)"; the number alone where it has none, and
 * why in place of one that is not known. format takes one double; times scales what is shown.
 */
void html_bounded(FILE *html, const char *format, double times, const struct bounded *number, const char *why);

/**
 * Begin a table below its explanation, in a frame that scrolls. A press on a heading sorts by its column
 * (reports/page/report.js); a heading that begins with '#' is of numbers, of which report.css knows the first 24 columns. A field above it hides the rows that lack its
 * words; example stands in the field while it is empty, NULL: no field. id is unique in the page and needs no escaping.
 */
struct html_table {
    const char *id, *caption, *about, *example;
    const char *const *headings; /* up to NULL */
};
#define HTML_HEADINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
void html_table_begin(FILE *html, const struct html_table *table);
void html_table_end(FILE *html);

/** A part of a section that is folded away, with what it holds as its line. */
void html_fold_begin(FILE *html, const char *id, const char *line);
void html_fold_end(FILE *html);
