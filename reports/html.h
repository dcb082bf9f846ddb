/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_HTML_H
#define REPORTS_HTML_H

#include <stdio.h>

/** Writing HTML whose text comes from records, which anybody may have written. */

/** Text with & < > " ' replaced, fit for content and for quoted attributes; control characters but newline and tab are
 * left out. */
void html_text(FILE *html, const char *text);

/** `<td>` with text. */
void html_cell(FILE *html, const char *text);

/** `<td>` with a number, right-aligned, sortable by its value; a dash for NaN. format takes one double. */
void html_number(FILE *html, const char *format, double value);

#endif
