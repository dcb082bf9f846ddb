/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"

/* Figure 11 of bitnet.cpp: what longer registers do for element-wise look-up tables. */
enum { POINTS = 256, WIDTHS = 3 };

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
    if (left->register_bits != right->register_bits)
        return left->register_bits < right->register_bits ? -1 : 1;
    if (left->entries != right->entries)
        return left->entries < right->entries ? -1 : 1;
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

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct point points[POINTS];
    size_t count = 0, lines = 0;
    char titles[WIDTHS][64];
    double most = 0;
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count && count < POINTS; i++)
        count += parse(view->of[VIEW_GAMMA].rows[i], &points[count]);
    if (!count)
        return -ENODATA;
    qsort(points, count, sizeof *points, by_place);
    for (size_t i = 0; i < count; i++) {
        const struct point *point = &points[i];
        if (i && points[i - 1].register_bits == point->register_bits && points[i - 1].entries == point->entries)
            continue; /* the fastest ISA was first */
        if (!i || points[i - 1].register_bits != point->register_bits) {
            fprintf(data,
                    "%s# entries of the table, cycles per look-up, cycles per ternary weight, weights per index, "
                    "sequence: %u-bit registers\n",
                    i ? "\n\n" : "", point->register_bits);
            snprintf(titles[lines++], sizeof titles[0], "%u-bit registers", point->register_bits);
        }
        /* gamma is of 32 indices */
        double cycles = view_median(point->row, "gamma") / 32, g = weights_of(point->entries);
        fprintf(data, "%u %.6g %.6g %g ", point->entries, cycles, cycles / g, g);
        gnuplot_write_field(data, view_text(point->row, "name"));
        fputc('\n', data);
        most = fmax(most, cycles);
    }
    fprintf(settings, "width = 1000\nheight = 500\nnarrow_height = 300\nlines = %zu\ny_max = %g\n", lines, 1.2 * most);
    struct settings_array line_titles = settings_texts(settings, "line_title", lines);
    for (size_t i = 0; i < lines; i++)
        array_text(&line_titles, titles[i]);
    return 0;
}

static const enum view_type needs[] = {VIEW_GAMMA};

const struct figure figure_register_length = {
    .name = "register_length",
    .title = "Element-wise look-up against the entries of its table (bitnet.cpp, Fig. 11)",
    .caption =
        "Left: core cycles to look up one index and add its entry, 8-bit entries. Right: the same per ternary "
        "weight, with as many weights per index as the table holds (3^g sums, mirrored). A table that one instruction "
        "holds costs no more than a smaller one; beyond it each doubling costs instructions, and the gain in weights "
        "per index is only logarithmic.",
    .units = "core cycles per look-up",
    .lacking = "look-ups in tables of several lengths",
    .measured_by = "kneepoint gamma elut",
    .rank = 45,
    .section = FIGURE_SEQUENCES,
    .needs = needs,
    .needs_count = 1,
    .write = write,
};
