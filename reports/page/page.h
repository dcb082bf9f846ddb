/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAGE_H
#define REPORTS_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "reports/draw/figure.h"
#include "reports/select/view.h"

/** The HTML page of a report: sections from the records, pictures inlined, style and script embedded, no network. */

struct page_figure {
    const struct figure *figure;
    char *svg;     /* NULL if it could not be drawn */
    char why[512]; /* then the reason */
};

struct page {
    struct page_figure figures[FIGURES_MAX];
    size_t figure_count;
};

/** The whole page; caller frees. NULL without memory. */
char *page_text(const struct view *view, const struct page *page, size_t *length);

/* What every page has around its sections: up to <main>, with the style, and from </main> on, with the script. */
void page_begin(FILE *html, const char *title);
void page_end(FILE *html);

/* Its parts, one file each. */
void page_write_kernels(const struct view *view, FILE *html);  /* all kernels on one shape, side by side */
void page_write_tables(const struct view *view, FILE *html);   /* beta, gamma, knee, gemv, barrier and quantization */
void page_write_validity(const struct view *view, FILE *html); /* samples kept and rejected, grades, disturbance */
void page_write_provenance(const struct view *view, FILE *html);

#endif
