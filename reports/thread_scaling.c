/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "reports/cells.h"
#include "reports/figure.h"
#include "reports/gnuplot.h"
#include "reports/series.h"

enum { TEAMS = 64, FAMILIES = 32 };

/* The largest shape of which the largest team has a valid cold cell: start and barrier weigh least in it. */
static const json_t *largest_cell(const struct view *view, unsigned team)
{
    const json_t *largest = NULL;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (!view_is_cold(row) || !cells_is_valid(row) || view_number(row, "threads") != team)
            continue;
        if (!largest ||
            view_number(row, "m") * view_number(row, "k") > view_number(largest, "m") * view_number(largest, "k"))
            largest = row;
    }
    return largest;
}

/* A line of one family over the teams. @return points written */
static size_t write_family(const struct view *view, const json_t *shape, const json_t *family, const unsigned *teams,
                           size_t count, FILE *data)
{
    size_t points = 0;
    for (size_t t = 0; t < count; t++) {
        struct cell_query query = {.family = family,
                                   .m = view_number(shape, "m"),
                                   .k = view_number(shape, "k"),
                                   .threads = teams[t],
                                   .cold = true};
        const json_t *cell = cells_fastest(view, &query);
        if (!cell)
            continue;
        if (!points++)
            fputs("# threads, GB/s of packed weights, Gop/s, kernel\n", data);
        fprintf(data, "%u %.6g %.6g ", teams[t], view_median(cell, "bytes_per_s") / 1e9,
                2 * query.m * query.k / view_median(cell, "time_s") / 1e9);
        gnuplot_write_field(data, view_text(cell, "name"));
        fputc('\n', data);
    }
    if (points)
        fputs("\n\n", data);
    return points;
}

static size_t find_families(const struct view *view, const json_t **families)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count && count < FAMILIES; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        size_t at = 0;
        while (at < count && !view_same_family(families[at], row))
            at++;
        if (at == count && view_bits(row) > 0)
            families[count++] = row;
    }
    return count;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const json_t *families[FAMILIES];
    struct series lines = {.prefix = "line"};
    unsigned teams[TEAMS];
    size_t team_count = view_teams(view, teams, TEAMS);
    const json_t *shape = team_count ? largest_cell(view, teams[team_count - 1]) : NULL;
    if (!shape)
        return -ENODATA;
    fputs("# threads, GB/s of the read roof\n", data);
    for (size_t t = 0; t < team_count; t++)
        fprintf(data, "%u %.6g\n", teams[t], view_median(view_roof(view, "memory", teams[t]), "bytes_per_s") / 1e9);
    fputs("\n\n", data);
    size_t count = find_families(view, families);
    for (size_t i = 0; i < count; i++) {
        if (!write_family(view, shape, families[i], teams, team_count, data))
            continue;
        char label[64];
        bool paper = view_is_paper(families[i]);
        figure_family_label(families[i], label, sizeof label);
        series_add(&lines, label, figure_colour(view_format_bits(families[i])), paper ? 2 : 1, paper ? 8 : 7);
    }
    series_write(&lines, settings);
    fprintf(settings, "shape = '%.0f×%.0f'\nthreads_max = %u\nwidth = 1080\nheight = 500\nnarrow_height = %zu\n",
            view_number(shape, "m"), view_number(shape, "k"), teams[team_count - 1],
            320 + 22 * ((lines.count + 3) / 3));
    return 0;
}

static const enum view_type needs[] = {VIEW_GEMV};

const struct figure figure_thread_scaling = {
    .name = "thread_scaling",
    .title = "Cold GEMV over the number of threads",
    .caption =
        "The largest weight shape of the run, the fastest valid kernel of each width at each team size, its weights "
        "from memory. Left, the bytes of packed weights per second under the read roof of as many threads; right, "
        "the operations per second, where narrow weights gain what they save in bytes. A line that bends below "
        "the roof is bound by its up-convert; one that bends with the roof by memory [bitnet-cpp, Fig. 8 and 10].",
    .units = "threads; GB/s (1e9 bytes per second) of packed weights; Gop/s, a multiply and an add counting two",
    .lacking = "valid cold product",
    .measured_by = "kneepoint gemv",
    .rank = 25,
    .needs = needs,
    .needs_count = 1,
    .write = write,
};
