/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "reports/page/page.h"
#include "reports/select/machines/headlines.h"
#include "reports/select/machines/outliers.h"
#include "results/records/run.h"

/**
 * The report of a run: index.html, self-contained, and its figures as .svg, .dat and .gp next to it.
 *
 * Whatever the run holds is rendered; the page names what is missing, with the command that measures it.
 *
 * Errors: 0 or negative errno, one line in why.
 */

/** The file that report_render writes below the output folder. */
#define REPORT_FILE "index.html"

/** Where a report goes by default: <run>/report. @return 0 or -ENAMETOOLONG */
int report_default_folder(const char *run_path, char *folder, size_t size);

/**
 * Render the report of a run into a folder, which is made if needed (output_path NULL: report_default_folder).
 * @param damage  receives what of the run could not be read, also where drawing fails; NULL: not asked for
 * @return 0; -ENOPKG: index.html is there but without pictures since gnuplot is missing or too old;
 *         -ENOENT no such run, -EINVAL not a Kneepoint run, other errno when nothing could be written.
 */
int report_render(const char *run_path, const char *output_path, struct run_damage *damage, char *why, size_t size);

/**
 * The numbers that the machine of a run is known by, as the page shows them on top.
 * @return 0; -ENOENT no such run, -EINVAL not a Kneepoint run, -ENOMEM
 */
int report_headlines(const char *run_path, struct headline headlines[HEADLINES], char *why, size_t size);

/**
 * Render a page that compares 2 or more runs with the first of them, and with each other as machines of a fleet, as
 * index.html in a folder, which is made if needed.
 * @param outliers  zeroed; what was found, which the caller frees with outliers_free, also on failure
 * @param damage    [count], zeroed; receives what of each run could not be read
 * @return 0; -ENODATA nothing was measured in the first and in another; errors of report_render
 */
int report_render_runs(const char *const *run_paths, size_t count, const char *output_path, struct outliers *outliers,
                       struct run_damage *damage, char *why, size_t size);

/** What went wrong with the figures of a page. */
struct report_drawn {
    int error; /* 0; -ENOPKG gnuplot is missing or too old */
    char why[512];
};

/**
 * Draw the figures of a run, or of several (view.runs), into a folder that exists.
 * @param page   receives them; free each svg
 * @param drawn  receives the first error; lacking records are none, the page says it
 */
void report_draw_figures(const struct view *view, const char *folder, struct page *page, struct report_drawn *drawn);

/**
 * Write a page as REPORT_FILE of a folder that exists.
 * @param html   freed here; NULL: there was no memory for it, -ENOMEM
 * @param drawn  its figures, whose error is that of a page that is saved without them
 */
int report_save(char *html, size_t length, const char *folder, const struct report_drawn *drawn, char *why,
                size_t size);

/** Make a folder and its parents. @return 0 or negative errno, why names the path. */
int report_make_folder(const char *path, char *why, size_t size);
