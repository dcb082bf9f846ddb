/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/cells.h"
#include "results/files/need.h"
#include "roofline/table_crossing.h"

/* C^g = M of bitnet.cpp's appendix: how many rows it takes until look-ups cost what their tables do. */
enum { KERNELS = 32, POINTS = 32, LEAST_POINTS = 3 };

/** Formats whose every index is a group of weights. */
static const struct elut {
    const char *format;
    unsigned cardinality, group;
    unsigned colour;
} eluts[] = {
    {"tl1", 3, 2, 0xd55e00},   {"elut4", 4, 2, 0x0072b2}, {"int1_nibbles", 2, 4, 0x009e73},
    {"elut5", 5, 2, 0xcc79a7}, {"tl2", 3, 3, 0xe69f00},
};

struct line {
    const json_t *prepare; /* the record of making tables of K activations */
    const struct elut *elut;
    double tables_s;
    struct table_crossing_point points[POINTS]; /* by rows */
    size_t count;
    double rows; /* that take as long as the tables */
    bool within; /* between points */
};

static const struct elut *elut_of(const char *format)
{
    for (size_t i = 0; i < sizeof eluts / sizeof *eluts; i++) {
        if (strcmp(eluts[i].format, format) == 0)
            return &eluts[i];
    }
    return NULL;
}

/* Of no more rows than were asked for: a panel may have more than these. */
static bool is_whole(const json_t *gemv)
{
    return !(view_bits(gemv) > 1.2 * view_format_bits(gemv));
}

/* A warm product of one thread with this kernel and K, and a time. */
static bool is_product(const json_t *gemv, const json_t *prepare)
{
    return strcmp(view_text(gemv, "name"), view_text(prepare, "kernel")) == 0 && view_number(gemv, "threads") == 1 &&
           view_number(gemv, "k") == view_number(prepare, "k") && !view_is_cold(gemv) && cells_is_valid(gemv) &&
           is_whole(gemv);
}

static int by_rows(const void *a, const void *b)
{
    const struct table_crossing_point *left = a, *right = b;
    return (left->rows > right->rows) - (left->rows < right->rows);
}

/* Tables alone: of int8, or of a kernel that makes them of floats. @return whether there are enough products */
static bool select_line(const struct view *view, const json_t *prepare, struct line *line)
{
    const struct view_rows *gemv = &view->of[VIEW_GEMV];
    *line = (struct line){.prepare = prepare, .tables_s = view_median(prepare, "time_s")};
    if (*view_text(prepare, "quantizer") || !*view_text(prepare, "kernel") ||
        strcmp(view_text(prepare, "name"), "unordered") == 0 || !(line->tables_s > 0))
        return false;
    for (size_t i = 0; i < gemv->count && line->count < POINTS; i++) {
        if (!is_product(gemv->rows[i], prepare))
            continue;
        line->elut = elut_of(view_text(gemv->rows[i], "format"));
        line->points[line->count++] =
            (struct table_crossing_point){view_number(gemv->rows[i], "m"), view_median(gemv->rows[i], "time_s")};
    }
    qsort(line->points, line->count, sizeof *line->points, by_rows);
    line->rows = table_crossing_measured(line->points, line->count, line->tables_s, &line->within);
    return line->elut && line->count >= LEAST_POINTS && line->rows > 0;
}

static double sums_of(const struct line *line)
{
    return table_crossing_sums(line->elut->cardinality, line->elut->group);
}

static int by_sums(const void *a, const void *b)
{
    const struct line *left = a, *right = b;
    double more = sums_of(left) - sums_of(right);
    if (more == 0)
        more = (double)(left->elut - right->elut);
    if (more == 0)
        more = strcmp(view_text(left->prepare, "kernel"), view_text(right->prepare, "kernel"));
    return (more > 0) - (more < 0);
}

/* Of the K that was measured with the most kernels. */
static size_t select_lines(const struct view *view, struct line lines[KERNELS])
{
    size_t count = 0, most = 0, kept = 0;
    double k = NAN;
    for (size_t i = 0; i < view->of[VIEW_PREPARE].count && count < KERNELS; i++)
        count += select_line(view, view->of[VIEW_PREPARE].rows[i], &lines[count]);
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        for (size_t j = 0; j < count; j++)
            same += view_number(lines[j].prepare, "k") == view_number(lines[i].prepare, "k");
        if (same > most) {
            most = same;
            k = view_number(lines[i].prepare, "k");
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (view_number(lines[i].prepare, "k") == k)
            lines[kept++] = lines[i];
    }
    qsort(lines, kept, sizeof *lines, by_sums);
    return kept;
}

/* Kernels of one format are told apart by their marks. */
static unsigned mark_of(const struct line *lines, size_t i)
{
    static const unsigned marks[] = {7, 5, 9, 13};
    unsigned before = 0;
    for (size_t j = 0; j < i; j++)
        before += lines[j].elut == lines[i].elut;
    return marks[before % (sizeof marks / sizeof *marks)];
}

static void write_products(const struct line *line, FILE *data)
{
    for (size_t i = 0; i < line->count; i++) {
        const struct table_crossing_point *point = &line->points[i];
        char what[224];
        snprintf(what, sizeof what, "%s, %g rows: look-ups %.3g us, tables %.3g us", view_text(line->prepare, "kernel"),
                 point->rows, 1e6 * point->seconds, 1e6 * line->tables_s);
        gnuplot_write_row(data, what, "%g %.6g ", point->rows, line->tables_s / point->seconds);
    }
    fputs("\n\n", data);
}

static void write_crossing(const struct line *line, FILE *data)
{
    char what[256];
    double sums = sums_of(line);
    snprintf(what, sizeof what,
             "%s, C = %u, g = %u: tables take as long as the look-ups of %.0f rows%s, %.1f times C^g",
             view_text(line->prepare, "kernel"), line->elut->cardinality, line->elut->group, line->rows,
             line->within ? "" : " (in proportion, outside of what was measured)", line->rows / sums);
    fprintf(data, "%g %.6g %d ", sums, line->rows, line->within);
    gnuplot_write_field(data, what);
    fputs("\n\n\n", data);
}

static void write_settings(const struct line *lines, size_t count, FILE *settings)
{
    double least = INFINITY, most = 0, rows = 0;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, fmin(lines[i].rows, sums_of(&lines[i])));
        most = fmax(most, fmax(lines[i].rows, sums_of(&lines[i])));
        rows = fmax(rows, lines[i].points[lines[i].count - 1].rows);
    }
    fprintf(settings,
            "heading = heading.', K = %g, one thread'\nlines = %zu\nwidth = 960\nheight = 520\nnarrow_height = 760\n",
            view_number(lines[0].prepare, "k"), count);
    fprintf(settings, "rows_low = %.6g\nrows_high = %.6g\ncrossing_low = %.6g\ncrossing_high = %.6g\n", least / 1.5,
            1.2 * rows, least / 1.5, 1.6 * most);
    set_colours(settings, "line_colour", count, i, lines[i].elut->colour);
    set_numbers(settings, "line_mark", count, i, mark_of(lines, i));
    set_texts(settings, "line_title", count, i, "%s, %u^%u", view_text(lines[i].prepare, "kernel"),
              lines[i].elut->cardinality, lines[i].elut->group);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct line *lines = need(KERNELS, sizeof *lines);
    if (!lines)
        return -ENOMEM;
    size_t count = select_lines(view, lines);
    for (size_t i = 0; i < count; i++) {
        write_products(&lines[i], data);
        write_crossing(&lines[i], data);
    }
    if (count)
        write_settings(lines, count, settings);
    free(lines);
    return count ? 0 : -ENODATA;
}

const struct figure figure_elut_crossing = {
    .name = "elut_crossing",
    .title = "Where making tables takes as long as looking up [bitnet-cpp, A.1]",
    .caption =
        "Looking up groups of g weights, each one of C values, needs tables of C^g sums for every group of "
        "activations, made once however many rows M the matrix has. If a sum costs as much as a look-up, both are "
        "equal work at M = C^g, and look-ups need fewer operations than multiplying only with more rows. Left: time "
        "of making a kernel's tables over that of its look-ups, against M, weights in the caches; at 1 they are "
        "equal, and a cross there is at C^g. Right: the rows at which they are equal, against C^g; the dashed line is "
        "M = C^g. At a point above it, making a sum takes longer than looking one up: vectors look up 32 or 64 rows "
        "at once and add in bytes, while sums are made in words, split in two digits and written to memory. A hollow "
        "point lies outside of the rows that were measured. Mirrored tables (C = 3, g = 3 and C = 5) make about half "
        "of their C^g sums. Neither includes quantizing the activations, which multiplying needs as well.",
    .units = "rows; time of tables over time of look-ups; C^g",
    .lacking = "warm GEMVs of one kernel of tables with three numbers of rows of one K, one thread, and its tables",
    .measured_by =
        "kneepoint gemv --warm --threads=1 --shape=64x4096 --shape=128x4096 --shape=256x4096 --shape=1024x4096 elut4 elut5 tl1 tl2 "
        "int1_nibbles",
    .rank = 47,
    .section = FIGURE_PAPERS,
    .needs = NEEDS(VIEW_PREPARE) | NEEDS(VIEW_GEMV),
    .write = write,
};
