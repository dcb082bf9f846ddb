/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "reports/draw/citation.h"
#include "reports/draw/figure.h"
#include "reports/select/run/view.h"

/** The HTML page of a report: sections from the records, pictures inlined. */

struct page_figure {
    const struct figure *figure;
    char *svg;                /* NULL if it could not be drawn */
    char why[512];            /* then the reason */
    char cited[CITATION_MAX]; /* citation_of; "": says nothing */
};

struct page {
    struct page_figure figures[FIGURES_MAX];
    size_t figure_count;
};

/** A figure of a page: its picture, or why there is none, the caption, and the command that draws it of these runs. */
void page_write_figure(const struct page_figure *slot, const struct view *runs, size_t count, FILE *html);

/** The whole page; caller frees. NULL without memory. */
char *page_text(const struct view *view, const struct page *page, size_t *length);

/** What every page has around its sections: style and script embedded, no network. */

/** Begin a page, up to <main>. @return the stream for its sections; NULL without memory */
FILE *page_begin(char **text, size_t *length, const char *title);

/** End and close it. @return the page, which the caller frees; NULL without memory */
char *page_end(FILE *html, char *text[static 1]);
