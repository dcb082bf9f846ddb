/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/draw/figure.h"
#include "reports/page/page.h"
#include "reports/select/run/peers.h"
#include "reports/select/run/view.h"
#include "results/files/file_replace.h"
#include "results/files/input.h"
#include "results/files/need.h"
#include "results/records/run.h"

enum { PATH_SIZE = 4096 };

int report_default_folder(const char *run_path, char *folder, size_t size)
{
    struct stat status;
    static const char *const names[] = {"/records.jsonl", "/records.jsonl" INPUT_PACKED};
    size_t length = strlen(run_path);
    while (length > 1 && run_path[length - 1] == '/')
        length--;
    /* The report of a bare records file goes next to the file. */
    if (stat(run_path, &status) == 0 && S_ISREG(status.st_mode)) {
        const size_t whole = length;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const size_t name = strlen(names[i]);
            if (whole > name && strcmp(run_path + whole - name, names[i]) == 0)
                length -= name;
        }
        if (length == whole)
            return snprintf(folder, size, "%s.report", run_path) < (int)size ? 0 : -ENAMETOOLONG;
    }
    return snprintf(folder, size, "%.*s/report", (int)length, run_path) < (int)size ? 0 : -ENAMETOOLONG;
}

int report_make_folder(const char *path, char *why, size_t size)
{
    char part[PATH_SIZE];
    int error = 0;
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
        error = -ENAMETOOLONG;
    for (char *slash = part; !error && slash; slash = strchr(slash + 1, '/')) {
        if (slash == part)
            continue;
        *slash = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            error = -errno;
        *slash = '/';
    }
    struct stat status;
    if (!error && mkdir(part, 0777) != 0 && errno != EEXIST)
        error = -errno;
    if (!error && stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        error = -ENOTDIR;
    if (!error && access(path, W_OK) != 0)
        error = -errno;
    if (error)
        snprintf(why, size, "cannot write to %s: %s; choose another folder with --output", path, strerror(-error));
    return error;
}

static int read_picture(const char *folder, struct page_figure *slot)
{
    char path[PATH_SIZE];
    bool fits = snprintf(path, sizeof path, "%s/%s.svg", folder, slot->figure->name) < (int)sizeof path;
    slot->svg = fits ? figure_read(path) : NULL;
    int error = slot->svg ? 0 : fits ? -errno : -ENAMETOOLONG;
    if (error)
        snprintf(slot->why, sizeof slot->why, "cannot read its picture, %s.svg: %s", slot->figure->name,
                 strerror(-error));
    return error;
}

/* Draw one figure for the page; a failure becomes the reason printed in its place. @return 0 or the error of
 * figure_draw */
static int draw(const struct figure *figure, const struct view *view, const char *folder, struct page_figure *slot)
{
    *slot = (struct page_figure){.figure = figure};
    int error = figure_draw(figure, view, folder, &(struct figure_form){.format = "svg"}, slot->why, sizeof slot->why);
    citation_of(figure, view, slot->cited, sizeof slot->cited);
    return error ? error : read_picture(folder, slot);
}

void report_draw_figures(const struct view *view, const char *folder, struct page *page, struct report_drawn *drawn)
{
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX);
    *drawn = (struct report_drawn){0};
    page->figure_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (figures[i]->of_runs != (view->run_count > 1))
            continue;
        struct page_figure *slot = &page->figures[page->figure_count++];
        int error = draw(figures[i], view, folder, slot);
        if (!error || error == -ENODATA || drawn->error)
            continue;
        drawn->error = error == -ENOENT ? -ENOPKG : error;
        snprintf(drawn->why, sizeof drawn->why, "%s", slot->why);
    }
}

int report_save(char *html, size_t length, const char *folder, const struct report_drawn *drawn, char *why, size_t size)
{
    char path[PATH_SIZE];
    int error = 0;
    if (!html) {
        snprintf(why, size, "not enough memory for the report");
        return -ENOMEM;
    }
    if (snprintf(path, sizeof path, "%s/%s", folder, REPORT_FILE) >= (int)sizeof path) {
        snprintf(why, size, "the path %s is too long; choose a shorter --output", folder);
        error = -ENAMETOOLONG;
    }
    if (!error)
        error = file_replace(path, html, length, why, size);
    free(html);
    if (error || !drawn->error)
        return error;
    snprintf(why, size, "%s; the report is written without it", drawn->why);
    return drawn->error;
}

static int render(const struct view *view, const char *folder, char *why, size_t size)
{
    struct report_drawn drawn;
    size_t length = 0;
    struct page *page = need(1, sizeof *page);
    if (!page)
        return -ENOMEM;
    report_draw_figures(view, folder, page, &drawn);
    char *html = page_text(view, page, &length);
    int error = report_save(html, length, folder, &drawn, why, size);
    for (size_t i = 0; i < page->figure_count; i++)
        free(page->figures[i].svg);
    free(page);
    return error;
}

int report_render(const char *run_path, const char *output_path, struct run_damage *damage, char *why, size_t size)
{
    struct run_records records;
    struct view view;
    char folder[PATH_SIZE];
    int error = run_read(run_path, &records, why, size);
    if (error)
        return error;
    if (damage)
        *damage = run_damage_of(&records);
    error = output_path ? -(snprintf(folder, sizeof folder, "%s", output_path) >= (int)sizeof folder ? ENAMETOOLONG : 0)
                        : report_default_folder(run_path, folder, sizeof folder);
    if (error)
        snprintf(why, size, "the path of the report is too long; choose a shorter --output");
    if (!error)
        error = report_make_folder(folder, why, size);
    if (!error) {
        peers_rename(records.records);
        error = view_open(run_path, &records, &view);
        if (error)
            snprintf(why, size, "not enough memory to read %s", run_path);
    }
    if (!error) {
        error = render(&view, folder, why, size);
        view_close(&view);
    }
    run_records_free(&records);
    return error;
}

int report_headlines(const char *run_path, struct headline headlines[HEADLINES], char *why, size_t size)
{
    struct run_records records;
    struct view view;
    int error = run_read(run_path, &records, why, size);
    if (error)
        return error;
    peers_rename(records.records);
    error = view_open(run_path, &records, &view);
    if (error) {
        snprintf(why, size, "not enough memory to read %s", run_path);
    } else {
        headlines_of(&view, headlines);
        view_close(&view);
    }
    run_records_free(&records);
    return error;
}
