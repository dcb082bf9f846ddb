/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_PAGE_PAGE_SECTIONS_H
#define REPORTS_PAGE_PAGE_SECTIONS_H

#include <stdio.h>

#include "reports/select/view.h"

/** Sections of the page of a run, page_<section>.c each. */

void page_write_kernels(const struct view *view, FILE *html);   /* all kernels on one shape, side by side */
void page_write_tables(const struct view *view, FILE *html);    /* beta, gamma, knee, gemv, barrier and quantization */
void page_write_gemm(const struct view *view, FILE *html);      /* several tokens at once: what limits them */
void page_write_repack(const struct view *view, FILE *html);    /* rows of a model file to the order of a kernel */
void page_write_residuals(const struct view *view, FILE *html); /* what the model misses by, kernel by kernel */
void page_write_validity(const struct view *view, FILE *html);  /* samples kept and rejected, grades, disturbance */
void page_write_bias(const struct view *view, FILE *html);      /* what a change of layout alone does */
void page_write_provenance(const struct view *view, FILE *html);

#endif
