/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAGE_HTML_H
#define REPORTS_PAGE_HTML_H

#include <stdio.h>

/** Writing HTML whose text comes from records, which anybody may have written. */

/** `<td>` with text. */
void html_cell(FILE *html, const char *text);

/** `<td>` with a number, right-aligned, sortable by its value; a dash for NaN. format takes one double. */
void html_number(FILE *html, const char *format, double value);

/**
 * Begin a table below its explanation, in a frame that scrolls. A press on a heading sorts by its column
 * (reports/page/report.js); a heading that begins with '#' is of numbers. A field above it hides the rows that lack its
 * words; example stands in the field while it is empty. id is unique in the page and needs no escaping.
 */
struct html_table {
    const char *id, *about, *example;
    const char *const *headings; /* up to NULL */
};
void html_table_begin(FILE *html, const struct html_table *table);
void html_table_end(FILE *html);

#endif
