/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "reports/side_by_side.h"
#include "reports/report.h"
#include "results/run.h"

enum { PATH_SIZE = 4096 };

struct open_runs {
    struct run_records records[SIDE_BY_SIDE_MAX];
    struct view views[SIDE_BY_SIDE_MAX];
    size_t count;
};

static int open_run(const char *path, struct open_runs *runs, char *why, size_t size)
{
    struct run_records *records = &runs->records[runs->count];
    int error = run_read(path, records, why, size);
    if (error)
        return error;
    error = view_open(path, records, &runs->views[runs->count]);
    if (error) {
        snprintf(why, size, "not enough memory to read %s", path);
        run_records_free(records);
        return error;
    }
    runs->count++;
    return 0;
}

static void close_runs(struct open_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        view_close(&runs->views[i]);
        run_records_free(&runs->records[i]);
    }
}

static int write_page(const struct open_runs *runs, const char *folder, char *why, size_t size)
{
    char path[PATH_SIZE];
    size_t length;
    int error = report_make_folder(folder, why, size);
    if (error)
        return error;
    if (snprintf(path, sizeof path, "%s/%s", folder, REPORT_FILE) >= (int)sizeof path) {
        snprintf(why, size, "the path %s is too long; choose a shorter --output", folder);
        return -ENAMETOOLONG;
    }
    char *html = side_by_side_text(runs->views, runs->count, &length);
    if (!html) {
        snprintf(why, size, "not enough memory for the report");
        return -ENOMEM;
    }
    error = file_replace(path, html, length, why, size);
    free(html);
    return error;
}

int report_render_beside(const char *const *run_paths, size_t count, const char *output_path, char *why, size_t size)
{
    struct open_runs runs = {.count = 0};
    int error = 0;
    if (count < 2 || count > SIDE_BY_SIDE_MAX) {
        snprintf(why, size, "2 to %d runs stand side by side, not %zu", SIDE_BY_SIDE_MAX, count);
        return -EINVAL;
    }
    for (size_t i = 0; !error && i < count; i++)
        error = open_run(run_paths[i], &runs, why, size);
    if (!error && side_by_side_common(runs.views, runs.count) == 0) {
        snprintf(why, size,
                 "%s has no read stream, sequence or GEMV cell in common with the other run%s; measure the same with "
                 "`kneepoint characterize` on both machines",
                 run_paths[0], count > 2 ? "s" : "");
        error = -ENODATA;
    }
    if (!error)
        error = write_page(&runs, output_path, why, size);
    close_runs(&runs);
    return error;
}
