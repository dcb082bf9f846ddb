/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/label_places.h"
#include "reports/draw/settings.h"

/* Figure 11 of bitnet.cpp: what longer registers do for element-wise look-up tables. */
enum { POINTS = 256, LINES = 16, HEIGHT = 460, PLOT_HEIGHT = 268, LABEL_HEIGHT = 15, WIDEST = 512 };

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
 * Ternary weights that one index into so many entries stands for: the largest g with 3^g entries, or half of them where
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

/* What the label of each line stands beside: its end where that is at the edge of the plot, else its beginning. */
static size_t labelled(const struct point *points, size_t count, const struct point **beside)
{
    size_t lines = 0;
    for (size_t i = 0, first = 0; i < count && lines < LINES; i++) {
        if (i + 1 < count && points[i + 1].entries == points[i].entries)
            continue;
        beside[lines++] = points[i].register_bits == WIDEST ? &points[i] : &points[first];
        first = i + 1;
    }
    return lines;
}

/* Heights of labels on an axis that is logarithmic. Those at the edge keep apart, a beginning has its label above it. */
static void write_labels(const char *name, const struct point **beside, size_t lines,
                         double (*cycles)(const struct point *), double low, double high, FILE *settings)
{
    double places[LINES], edge[LINES];
    size_t at_edge = 0;
    for (size_t i = 0; i < lines; i++) {
        places[i] = PLOT_HEIGHT * log(cycles(beside[i]) / low) / log(high / low) + LABEL_HEIGHT;
        if (beside[i]->register_bits == WIDEST)
            edge[at_edge++] = places[i] - LABEL_HEIGHT;
    }
    label_places(edge, at_edge, LABEL_HEIGHT, 0, PLOT_HEIGHT);
    struct settings_array at = settings_numbers(settings, name, lines);
    for (size_t i = 0, e = 0; i < lines; i++) {
        double place = beside[i]->register_bits == WIDEST ? edge[e++] : places[i];
        array_number(&at, low * pow(high / low, place / PLOT_HEIGHT));
    }
}

static void write_panel_range(const char *panel, const struct point *points, size_t count, const struct point **beside,
                              size_t lines, double (*cycles)(const struct point *), FILE *settings)
{
    double low = INFINITY, high = 0;
    char name[32];
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, cycles(&points[i]));
        high = fmax(high, cycles(&points[i]));
    }
    low /= 1.4;
    high *= 1.4;
    fprintf(settings, "%s_low = %.6g\n%s_high = %.6g\n", panel, low, panel, high);
    snprintf(name, sizeof name, "%s_label", panel);
    write_labels(name, beside, lines, cycles, low, high, settings);
}

static void write_points(const struct point *points, size_t count, FILE *data)
{
    for (size_t i = 0; i < count; i++) {
        const struct point *point = &points[i];
        if (!i || points[i - 1].entries != point->entries)
            fprintf(
                data,
                "%s# bits of the register, cycles per look-up, cycles per ternary weight, weights per index, sequence: "
                "%u entries\n",
                i ? "\n\n" : "", point->entries);
        fprintf(data, "%u %.6g %.6g %u ", point->register_bits, cycles_a_look_up(point), cycles_a_weight(point),
                weights_of(point->entries));
        gnuplot_write_field(data, view_text(point->row, "name"));
        fputc('\n', data);
    }
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct point points[POINTS];
    const struct point *beside[LINES];
    size_t count = select_points(view, points), lines = labelled(points, count, beside);
    if (!count)
        return -ENODATA;
    write_points(points, count, data);
    fprintf(settings, "width = 760\nheight = %d\nnarrow_height = 330\nlines = %zu\n", HEIGHT, lines);
    struct settings_array at = settings_numbers(settings, "line_at", lines);
    for (size_t i = 0; i < lines; i++)
        array_number(&at, beside[i]->register_bits);
    struct settings_array titles = settings_texts(settings, "line_title", lines);
    for (size_t i = 0; i < lines; i++) {
        char title[64];
        snprintf(title, sizeof title, "%u entries, g = %u", beside[i]->entries, weights_of(beside[i]->entries));
        array_text(&titles, title);
    }
    write_panel_range("look_up", points, count, beside, lines, cycles_a_look_up, settings);
    write_panel_range("weight", points, count, beside, lines, cycles_a_weight, settings);
    return 0;
}

static const enum view_type needs[] = {VIEW_GAMMA};

const struct figure figure_register_length = {
    .name = "register_length",
    .title = "Element-wise look-up against the length of registers [bitnet-cpp, Fig. 11]",
    .caption =
        "One line per length of the table, over the length of the registers. Left: core cycles to look up one index and add its "
        "8-bit entry. Right: the same per ternary weight, with as many weights g per index as the table holds (3^g sums, "
        "mirrored). The paper says that longer registers let more weights share an index: so they do where one instruction "
        "holds the table, and a table that takes several instructions costs more than it gains. Both axes are logarithmic.",
    .units = "bits of a register; core cycles per look-up and per ternary weight, logarithmic",
    .lacking = "look-ups in tables of several lengths",
    .measured_by = "kneepoint gamma elut --json >FILE",
    .rank = 45,
    .section = FIGURE_SEQUENCES,
    .needs = needs,
    .needs_count = 1,
    .write = write,
};
