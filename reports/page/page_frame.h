/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAGE_PAGE_FRAME_H
#define REPORTS_PAGE_PAGE_FRAME_H

#include <stddef.h>
#include <stdio.h>

/** What every page has around its sections: style and script embedded, no network. */

/** Begin a page, up to <main>. @return the stream for its sections; NULL without memory */
FILE *page_begin(char **text, size_t *length, const char *title);

/** End and close it. @return the page, which the caller frees; NULL without memory */
char *page_end(FILE *html, char *text[static 1]);

#endif
