/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"

/* Figure 11 of bitnet.cpp: what longer registers do for element-wise look-up tables. */
enum { POINTS = 256 };

struct point {
    const json_t *row;
    unsigned entries, register_bits;
};

/** "table64_ymm" */
static bool parse(const json_t *row, struct point *point)
{
    char width[8] = "";
    if (strcmp(view_text(row, "format"), "elut") != 0 || !view_flag(row, "best") || !(view_median(row, "gamma") > 0) ||
        sscanf(view_text(row, "sequence"), "table%u_%7s", &point->entries, width) != 2)
        return false;
    point->row = row;
    point->register_bits = strcmp(width, "xmm") == 0 ? 128 : strcmp(width, "ymm") == 0 ? 256 : 512;
    return point->entries > 1;
}

/* Of one place the fewest cycles first: an experiment with an instruction, which is of no kernel that could be best. */
static int by_place(const void *a, const void *b)
{
    const struct point *left = a, *right = b;
    if (left->entries != right->entries)
        return left->entries < right->entries ? -1 : 1;
    if (left->register_bits != right->register_bits)
        return left->register_bits < right->register_bits ? -1 : 1;
    double slower = view_median(left->row, "gamma") - view_median(right->row, "gamma");
    return (slower > 0) - (slower < 0);
}

/**
 * Ternary weights that one index into this many entries stands for: the largest g with 3^g entries, or half of them where
 * the sign is kept apart (mirror consolidation).
 */
static unsigned weights_of(unsigned entries)
{
    unsigned g = 0;
    for (unsigned long power = 3; (power + 1) / 2 <= entries; power *= 3)
        g++;
    return g;
}

/* gamma is of 32 indices. */
static double cycles_a_look_up(const struct point *point)
{
    return view_median(point->row, "gamma") / 32;
}

static double cycles_a_weight(const struct point *point)
{
    return cycles_a_look_up(point) / weights_of(point->entries);
}

/* The fastest instruction set of each length and number of entries. @return how many there are */
static size_t select_points(const struct view *view, struct point *points)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count && count < POINTS; i++)
        count += parse(view->of[VIEW_GAMMA].rows[i], &points[count]);
    qsort(points, count, sizeof *points, by_place);
    for (size_t i = 0; i < count; i++) {
        if (!kept || points[kept - 1].register_bits != points[i].register_bits ||
            points[kept - 1].entries != points[i].entries)
            points[kept++] = points[i];
    }
    return kept;
}

static void write_panel_range(const char *panel, const struct point *points, size_t count,
                              double (*cycles)(const struct point *), FILE *settings)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, cycles(&points[i]));
        high = fmax(high, cycles(&points[i]));
    }
    fprintf(settings, "%s_low = %.6g\n%s_high = %.6g\n", panel, low / 1.4, panel, high * 1.4);
}

/** Points of as many entries follow each other and are a line. */
static bool begins_line(const struct point *points, size_t i)
{
    return !i || points[i - 1].entries != points[i].entries;
}

static void write_titles(const struct point *points, size_t count, FILE *settings)
{
    size_t lines = 0;
    for (size_t i = 0; i < count; i++)
        lines += begins_line(points, i);
    fprintf(settings, "lines = %zu\n", lines);
    struct settings_array titles = settings_texts(settings, "line_title", lines);
    for (size_t i = 0; i < count; i++) {
        if (begins_line(points, i))
            array_text(&titles, "%u entries, g = %u", points[i].entries, weights_of(points[i].entries));
    }
}

static void write_points(const struct point *points, size_t count, FILE *data)
{
    for (size_t i = 0; i < count; i++) {
        const struct point *point = &points[i];
        if (begins_line(points, i))
            fprintf(
                data,
                "%s# bits of the register, cycles per look-up, cycles per ternary weight, weights per index, sequence: "
                "%u entries\n",
                i ? "\n\n" : "", point->entries);
        gnuplot_write_row(data, view_text(point->row, "name"), "%u %.6g %.6g %u ", point->register_bits,
                          cycles_a_look_up(point), cycles_a_weight(point), weights_of(point->entries));
    }
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct point points[POINTS];
    size_t count = select_points(view, points);
    if (!count)
        return -ENODATA;
    write_points(points, count, data);
    fprintf(settings, "width = 760\nheight = 480\nnarrow_height = 390\n");
    write_titles(points, count, settings);
    write_panel_range("look_up", points, count, cycles_a_look_up, settings);
    write_panel_range("weight", points, count, cycles_a_weight, settings);
    return 0;
}

const struct figure figure_register_length = {
    .name = "register_length",
    .title = "Element-wise look-up against the length of registers [bitnet-cpp, Fig. 11]",
    .caption =
        "One line per length of the table, over the length of the registers. Left: core cycles to look up one index "
        "and add its 8-bit entry. Right: the same per ternary weight, with as many weights g per index as the table "
        "holds (3^g sums, mirrored). The paper says that longer registers let more weights share an index. That holds "
        "if one instruction holds the table; a table that takes several instructions costs more than it gains. Both "
        "axes are logarithmic.",
    .units = "bits of a register; core cycles per look-up and per ternary weight, logarithmic",
    .lacking = "look-ups in tables of several lengths",
    .measured_by = "kneepoint gamma elut --json >FILE",
    .rank = 45,
    .section = FIGURE_SEQUENCES,
    .needs = NEEDS(VIEW_GAMMA),
    .write = write,
};
