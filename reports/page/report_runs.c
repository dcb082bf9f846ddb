/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "reports/page/report.h"
#include "reports/page/side_by_side.h"
#include "reports/select/run/peers.h"
#include "results/files/need.h"
#include "results/records/run.h"

/* Few runs stay open, side by side. Of many, each leaves its entry and its values, and is closed. */
struct reading {
    size_t count; /* runs to read */
    struct run_records records[SIDE_BY_SIDE_MAX];
    struct view views[SIDE_BY_SIDE_MAX];
    size_t open;
    struct outliers *outliers;
    struct run_damage *damage; /* [count] */
    char *runs_html;
    size_t runs_length;
    FILE *runs;
};

static void close_runs(struct reading *reading)
{
    for (size_t i = 0; i < reading->open; i++) {
        view_close(&reading->views[i]);
        run_records_free(&reading->records[i]);
    }
    reading->open = 0;
}

static int read_run(const char *path, size_t number, struct reading *reading, char *why, size_t size)
{
    struct run_records *records = &reading->records[reading->open];
    struct view *view = &reading->views[reading->open];
    int error = run_read(path, records, why, size);
    if (error)
        return error;
    reading->damage[number] = run_damage_of(records);
    error = run_needs_machine(path, records, why, size);
    if (error) {
        run_records_free(records);
        return error;
    }
    peers_rename(records->records);
    error = view_open(path, records, view);
    if (error) {
        run_records_free(records);
    } else {
        reading->open++;
        side_by_side_run(view, number, reading->count, reading->runs);
        error = outliers_add(reading->outliers, view);
    }
    if (error)
        snprintf(why, size, "not enough memory to read %s", path);
    if (reading->count > SIDE_BY_SIDE_MAX)
        close_runs(reading);
    return error;
}

static int read_runs(const char *const *paths, struct reading *reading, char *why, size_t size)
{
    int error = 0;
    reading->runs = need_stream(&reading->runs_html, &reading->runs_length);
    for (size_t i = 0; reading->runs && !error && i < reading->count; i++)
        error = read_run(paths[i], i, reading, why, size);
    if (!reading->runs || need_close(reading->runs) != 0 || (!error && outliers_find(reading->outliers))) {
        snprintf(why, size, "not enough memory for the report");
        return -ENOMEM;
    }
    return error;
}

/* Whether there is anything to show. */
static int check_common(const char *const *paths, const struct reading *reading, char *why, size_t size)
{
    bool few = reading->count <= SIDE_BY_SIDE_MAX;
    if (few ? side_by_side_common(reading->views, reading->open) > 0 : reading->outliers->compared > 0)
        return 0;
    snprintf(
        why, size,
        few ? "%s has no read stream, sequence or GEMV cell in common with the other run%s; measure the same with "
              "`kneepoint characterize` on both machines"
            : "%s and the other run%s have no read stream or sequence that four with the same CPU measured; measure "
              "the same with `kneepoint characterize` on all machines",
        paths[0], reading->count > 2 ? "s" : "");
    return -ENODATA;
}

/* Figures of all runs. One for which there are no numbers is a line of the page, and no error. */
static void draw_figures(const struct reading *reading, const char *folder, struct page *page,
                         struct report_drawn *drawn)
{
    struct view view = reading->views[0];
    view.runs = reading->views;
    view.run_count = reading->open;
    report_draw_figures(&view, folder, page, drawn);
}

static int write_page(const struct reading *reading, const char *folder, char *why, size_t size)
{
    size_t length = 0;
    int error = report_make_folder(folder, why, size);
    if (error)
        return error;
    struct page *figures = reading->count <= SIDE_BY_SIDE_MAX ? need(1, sizeof *figures) : NULL;
    struct report_drawn drawn = {0};
    if (figures)
        draw_figures(reading, folder, figures, &drawn);
    struct side_by_side page = {.count = reading->count,
                                .runs_html = reading->runs_html,
                                .views = reading->count <= SIDE_BY_SIDE_MAX ? reading->views : NULL,
                                .outliers = reading->outliers};
    page.page = figures;
    char *html = side_by_side_text(&page, &length);
    for (size_t i = 0; figures && i < figures->figure_count; i++)
        free(figures->figures[i].svg);
    free(figures);
    return report_save(html, length, folder, &drawn, why, size);
}

int report_render_runs(const char *const *run_paths, size_t count, const char *output_path, struct outliers *outliers,
                       struct run_damage *damage, char *why, size_t size)
{
    struct reading reading = {.count = count, .outliers = outliers, .damage = damage};
    if (count < 2) {
        snprintf(why, size, "a comparison needs at least 2 runs");
        return -EINVAL;
    }
    int error = read_runs(run_paths, &reading, why, size);
    if (!error)
        error = check_common(run_paths, &reading, why, size);
    if (!error)
        error = write_page(&reading, output_path, why, size);
    close_runs(&reading);
    free(reading.runs_html);
    return error;
}
