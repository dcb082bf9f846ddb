/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdio.h>

#include "reports/findings/finding.h"
#include "reports/page/page.h"
#include "reports/select/machines/outliers.h"
#include "reports/select/run/view.h"

/** Sections of the page of a run, and their tables, page_<what>.c each. */

/** The first screen: what the machine is, where its knee is, whether to believe it. hero: the picture, NULL without one. */
void page_write_first(const struct view *view, const struct page_figure *hero, FILE *html);

/** What memory and each cache give one core and all of them, and how long a load takes: a small table. */
void page_write_levels(const struct view *view, FILE *html);

/** What to run on this CPU, a row a width. */
void page_write_recommended(const struct view *view, FILE *html);

/** Everything else, a folded section a question. */
void page_write_questions(const struct view *view, const struct page *page, FILE *html);

/** What a reader must know before believing a number: above all others, and the rest of it. */
void page_write_alarms(const struct view *view, FILE *html);
void page_write_notices(const struct view *view, FILE *html);

/** The smallest loss that this machine can tell, and the two commands that compare before with after. */
void page_write_gate(const struct view *view, FILE *html);

void page_write_reproduce(const struct view *view, FILE *html);

/** What the words of the page mean. */
void page_write_glossary(FILE *html);

void page_write_kernels(const struct view *view, FILE *html); /* all kernels on one shape, side by side */
void page_write_beta(const struct view *view, FILE *html);
void page_write_devices(const struct view *view, FILE *html); /* roofs of OpenCL devices */
void page_write_gamma(const struct view *view, FILE *html);
void page_write_knee(const struct view *view, FILE *html);
void page_write_gemv(const struct view *view, FILE *html);
void page_write_steps(const struct view *view, FILE *html);     /* barrier and quantization */
void page_write_tokens(const struct view *view, FILE *html);    /* models that were decoded, and prompts */
void page_write_gemm(const struct view *view, FILE *html);      /* several tokens at once: what limits them */
void page_write_repack(const struct view *view, FILE *html);    /* rows of a model file to the order of a kernel */
void page_write_residuals(const struct view *view, FILE *html); /* what the model misses by, kernel by kernel */
void page_write_validity(const struct view *view, FILE *html);  /* samples kept and rejected, grades, disturbance */
void page_write_bias(const struct view *view, FILE *html);      /* what a change of layout alone does */
void page_write_provenance(const struct view *view, FILE *html);

/** What a run says: a heading, statements, and a table of what it says in numbers. */
void page_write_finding(const struct finding *finding, FILE *html);

/** The section of the page: the outliers, and the spread of every quantity. Nothing for fewer than FLEET_LEAST runs. */
void outliers_write(const struct outliers *outliers, FILE *html);
