/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdint.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/best.h"
#include "reports/select/machines/recommended.h"

enum { TEAMS = 64, FAMILIES = 32, SHAPES = 256 };

static void add_family(const json_t *cell, const json_t **families, size_t *count)
{
    for (size_t i = 0; i < *count; i++) {
        if (view_same_family(families[i], cell))
            return;
    }
    if (cell && *count < FAMILIES)
        families[(*count)++] = cell;
}

/* Of each width that people ask for ours and the published one: a line for every format could not be told from the next. */
static size_t find_families(const struct view *view, const json_t **families)
{
    struct recommended rows[RECOMMENDED_MAX];
    size_t count = 0, widths = recommended_of(view, rows);
    for (size_t i = 0; i < widths; i++) {
        if (!rows[i].width->measured)
            continue;
        add_family(rows[i].cell, families, &count);
        add_family(rows[i].published, families, &count);
    }
    return count;
}

static bool is_point(const json_t *row)
{
    return view_is_cold(row) && cells_is_valid(row);
}

/* The families, as bits, of which this shape has a valid cold cell with that team. */
static uint32_t families_at(const struct view *view, const struct cell_shape *shape, unsigned team,
                            const json_t *const *families, size_t count)
{
    uint32_t found = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (view_number(row, "m") != shape->m || view_number(row, "k") != shape->k ||
            view_number(row, "threads") != team || !is_point(row))
            continue;
        for (size_t f = 0; f < count; f++)
            found |= (uint32_t)view_same_family(families[f], row) << f;
    }
    return found;
}

/*
 * The shape on which the most families have cells with the smallest and the widest team; of those the largest, in which
 * start and barrier weigh least. The widest alone has many more shapes, which would be points without a line. m is 0 if
 * there is none.
 */
static struct cell_shape choose_shape(const struct view *view, unsigned smallest, unsigned widest,
                                      const json_t *const *families, size_t count)
{
    struct cell_shape shapes[SHAPES], best = {0};
    int most = 0;
    size_t shape_count = cells_shapes(view, shapes, SHAPES);
    for (size_t i = 0; i < shape_count; i++) {
        uint32_t at_widest = families_at(view, &shapes[i], widest, families, count);
        uint32_t at_both = at_widest & families_at(view, &shapes[i], smallest, families, count);
        int lines = (at_widest ? 1 : 0) + FAMILIES * __builtin_popcount(at_both);
        if (lines > most || (lines && lines == most && shapes[i].m * shapes[i].k > best.m * best.k)) {
            best = shapes[i];
            most = lines;
        }
    }
    return best;
}

/* A line of one family over the teams. @return points written */
static size_t write_family(const struct view *view, const struct cell_shape *shape, const json_t *family,
                           const unsigned *teams, size_t count, FILE *data)
{
    size_t points = 0;
    for (size_t t = 0; t < count; t++) {
        struct cell_query query = {.family = family, .m = shape->m, .k = shape->k, .threads = teams[t], .cold = true};
        const json_t *cell = best_gemv(view, &query).row;
        if (!cell)
            continue;
        if (!points++)
            fputs("# threads, GB/s of packed weights, Gop/s, kernel\n", data);
        gnuplot_write_row(data, view_text(cell, "name"), "%u %.6g %.6g ", teams[t],
                          view_median(cell, "bytes_per_s") / 1e9,
                          2 * query.m * query.k / view_median(cell, "time_s") / 1e9);
    }
    if (points)
        fputs("\n\n", data);
    return points;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    const json_t *families[FAMILIES];
    struct series lines = {.prefix = "line"};
    unsigned teams[TEAMS];
    size_t team_count = view_teams(view, teams, TEAMS);
    size_t count = find_families(view, families);
    struct cell_shape shape = {0};
    if (team_count > 1)
        shape = choose_shape(view, teams[0], teams[team_count - 1], families, count);
    if (!(shape.m > 0))
        return -ENODATA;
    fputs("# threads, GB/s of the read roof\n", data);
    for (size_t t = 0; t < team_count; t++)
        fprintf(data, "%u %.6g\n", teams[t], view_median(view_roof(view, "memory", teams[t]), "bytes_per_s") / 1e9);
    fputs("\n\n", data);
    for (size_t i = 0; i < count; i++) {
        if (!write_family(view, &shape, families[i], teams, team_count, data))
            continue;
        char label[64];
        bool paper = view_is_paper(families[i]);
        figure_family_label(families[i], label, sizeof label);
        series_add(&lines, label, figure_colour(view_format_bits(families[i])), paper ? 2 : 1, paper ? 8 : 7);
    }
    series_write(&lines, settings);
    /* a legend of many lines would go on beside the picture */
    fprintf(settings, "shape = '%.0f×%.0f'\nthreads_max = %u\nwidth = 1080\nheight = %zu\nnarrow_height = %zu\n",
            shape.m, shape.k, teams[team_count - 1], lines.count > 9 ? 200 + 27 * (lines.count + 1) : 500,
            320 + 22 * ((lines.count + 3) / 3));
    return 0;
}

const struct figure figure_thread_scaling = {
    .name = "thread_scaling",
    .title = "Cold GEMV over the number of threads",
    .caption =
        "The fastest valid kernel of each width at each team size, ours and (dashed) the published one, weights from "
        "memory, on one weight shape: the one on which the most widths were measured with both the smallest and the widest team, or the largest such "
        "shape. Left, the bytes of packed weights per second under the read roof of as many threads; right, the "
        "operations per second, where narrow weights gain what they save in bytes. A line that bends below the roof "
        "is bound by its up-convert; one that bends with the roof by memory [bitnet-cpp, Fig. 8 and 10].",
    .units = "threads; GB/s (1e9 bytes per second) of packed weights; Gop/s, a multiply and an add counting two",
    .lacking = "valid cold products of one shape with two numbers of threads",
    .measured_by = "kneepoint gemv",
    .rank = 25,
    .section = FIGURE_GEMV,
    .needs = NEEDS(VIEW_GEMV),
    .write = write,
};
