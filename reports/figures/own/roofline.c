/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/best.h"
#include "reports/select/kernels/cells.h"
#include "reports/select/machines/recommended.h"

enum { SIDES = 2, SHAPES = 64 };

/** Operations per byte at both ends of the picture: 16-bit weights have 1 of them, 1-bit weights 16. */
#define X_MIN 0.75
#define X_MAX 24.0

/** A ceiling reaches so far to both sides of its width: the next is no closer than 1.25 times it. */
#define HALF_CEILING 1.1

/* Kernels and sequences of a width: ours, and the published. */
struct column {
    const struct width *width;
    const json_t *gamma[SIDES];   /* the best */
    const json_t *best[SIDES][2]; /* the fastest of the best GEMVs of all shapes, warm and cold */
    double slowest[SIDES][2];     /* operations per second */
    size_t cells[SIDES][2];
};

struct picture {
    unsigned team;
    double hz;
    struct column columns[RECOMMENDED_MAX];
    size_t count;
    double y_min, y_max;
};

/* The ceiling of a sequence: 64 operations every gamma cycles on every core. */
static double ceiling_ops_per_s(const struct picture *picture, const json_t *gamma)
{
    return 64 / view_median(gamma, "gamma") * picture->hz * picture->team;
}

static double ops_per_s(const json_t *gemv)
{
    return 2 * view_number(gemv, "m") * view_number(gemv, "k") / view_median(gemv, "time_s");
}

static bool in_picture(const struct picture *picture, const json_t *gemv)
{
    return view_number(gemv, "threads") == picture->team && cells_is_valid(gemv) && view_bits(gemv) > 0;
}

static bool is_published(const json_t *row)
{
    return *view_origin(row) != 0;
}

struct asked {
    const struct view *view;
    const struct width *width;
    bool published;
};

static bool is_of_side(const void *of, const json_t *row)
{
    const struct asked *asked = of;
    return width_of(row) == asked->width && is_published(row) == asked->published;
}

static bool is_ceiling(const void *of, const json_t *row)
{
    return is_of_side(of, row) && view_is_candidate(((const struct asked *)of)->view, row);
}

/* The best kernel of each shape, and of those the one at the highest rate. */
static const json_t *fastest_of(const struct picture *picture, const struct asked *asked, bool cold)
{
    struct cell_shape shapes[SHAPES];
    const size_t count = cells_shapes(asked->view, shapes, SHAPES);
    const json_t *fastest = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct gemm_query query = {.m = shapes[i].m, .k = shapes[i].k, .threads = picture->team, .cold = cold};
        const json_t *row = best_among(asked->view, VIEW_GEMV, is_of_side, asked, &query).row;
        if (row && (!fastest || ops_per_s(row) > ops_per_s(fastest)))
            fastest = row;
    }
    return fastest;
}

static void find_best(const struct view *view, const struct picture *picture, struct column *column)
{
    for (int side = 0; side < SIDES; side++) {
        const struct asked asked = {view, column->width, side};
        column->gamma[side] = best_among(view, VIEW_GAMMA, is_ceiling, &asked, NULL).row;
        for (int cold = 0; cold < 2; cold++)
            column->best[side][cold] = fastest_of(picture, &asked, cold);
    }
}

/* How many there are on each side, and the slowest. */
static void count_cells(const struct view *view, const struct picture *picture, struct column *column)
{
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (!in_picture(picture, row) || width_of(row) != column->width)
            continue;
        bool side = is_published(row), cold = view_is_cold(row);
        column->slowest[side][cold] =
            column->cells[side][cold]++ ? fmin(column->slowest[side][cold], ops_per_s(row)) : ops_per_s(row);
    }
}

static void find_columns(const struct view *view, struct picture *picture)
{
    const struct width *widths;
    size_t count = widths_all(&widths);
    for (size_t i = 0; i < count && picture->count < RECOMMENDED_MAX; i++) {
        struct column *column = &picture->columns[picture->count];
        if (!widths[i].measured) /* those that everybody asks for; others would stand on them */
            continue;
        *column = (struct column){.width = &widths[i]};
        find_best(view, picture, column);
        count_cells(view, picture, column);
        picture->count += column->gamma[0] || column->gamma[1] || column->best[0][1] || column->best[1][1];
    }
}

/* Operations per packed byte, 2 per weight, where all of a width stands: that of its fastest cold GEMV, else of a sequence. */
static double place_of(const struct column *column)
{
    const json_t *any = column->best[0][1]   ? column->best[0][1]
                        : column->best[1][1] ? column->best[1][1]
                        : column->gamma[0]   ? column->gamma[0]
                                             : column->gamma[1];
    return 16 / (column->gamma[0] || column->gamma[1] || any ? view_bits(any) : NAN);
}

static void choose_ranges(const struct view *view, struct picture *picture)
{
    double roof = view_median(view_roof(view, "memory", picture->team), "bytes_per_s");
    picture->y_max = 0;
    picture->y_min = roof > 0 ? roof : (double)INFINITY;
    for (size_t i = 0; i < picture->count; i++) {
        const struct column *column = &picture->columns[i];
        for (int side = 0; side < SIDES; side++) {
            double ceiling = column->gamma[side] ? ceiling_ops_per_s(picture, column->gamma[side]) : (double)NAN;
            picture->y_max = fmax(picture->y_max, ceiling);
            picture->y_min = fmin(picture->y_min, ceiling);
            for (int cold = 0; cold < 2; cold++) {
                if (!column->best[side][cold])
                    continue;
                picture->y_max = fmax(picture->y_max, ops_per_s(column->best[side][cold]));
                picture->y_min =
                    fmin(picture->y_min, cold ? column->slowest[side][1] : ops_per_s(column->best[side][0]));
            }
        }
    }
    picture->y_max *= 2;
    picture->y_min *= 0.8;
}

static void write_slopes(const struct view *view, const struct picture *picture, FILE *settings, FILE *data)
{
    static const int dashes[VIEW_LEVELS] = {3, 4, 2, 1};
    struct series slopes = {.prefix = "slope"};
    double rates[VIEW_LEVELS];
    for (size_t i = VIEW_LEVELS; i-- > 0;) {
        double rate = view_median(view_roof(view, view_levels[i], picture->team), "bytes_per_s");
        if (!(rate > 0))
            continue;
        fprintf(data, "# operations per byte, Gop/s under the roof of %s\n", view_levels[i]);
        fprintf(data, "%g %.6g\n%g %.6g\n\n\n", X_MIN, rate * X_MIN / 1e9, X_MAX, rate * X_MAX / 1e9);
        char title[64];
        snprintf(title, sizeof title, "%s, %.*f GB/s", view_levels[i], rate < 1e11 ? 1 : 0, rate / 1e9);
        rates[slopes.count] = rate / 1e9;
        series_add(&slopes, title, i == VIEW_MEMORY ? 0x1a1a1a : 0x808080, dashes[i], 0);
    }
    series_write(&slopes, settings);
    set_numbers(settings, "slope_rate", slopes.count, i, rates[i]);
}

/* Blocks of ours and of the published. */
static void write_ceilings(const struct picture *picture, FILE *data)
{
    for (int side = 0; side < SIDES; side++) {
        fprintf(data,
                "# %s sequences: from and to, in operations per byte, Gop/s that they allow, colour, gamma, sequence\n",
                side ? "published" : "our");
        size_t written = 0;
        for (size_t i = 0; i < picture->count; i++) {
            const struct column *column = &picture->columns[i];
            const json_t *gamma = column->gamma[side];
            if (!gamma)
                continue;
            gnuplot_write_row(data, view_text(gamma, "name"), "%.6g %.6g %.6g 0x%06x %.4g ",
                              place_of(column) / HALF_CEILING, place_of(column) * HALF_CEILING,
                              ceiling_ops_per_s(picture, gamma) / 1e9, figure_colour(view_format_bits(gamma)),
                              view_median(gamma, "gamma"));
            written++;
        }
        gnuplot_end_block(data, written, 5, 1);
    }
}

/* Blocks of the fastest GEMVs: ours cold, ours warm, published cold, published warm; the published to the left of ours. */
static void write_cells(const struct picture *picture, FILE *data)
{
    for (int block = 0; block < 2 * SIDES; block++) {
        int side = block / 2, cold = block % 2 == 0;
        fprintf(
            data,
            "# %s kernels, %s: operations per byte, Gop/s of the fastest, colour, shape, kernel, Gop/s of the slowest, GEMVs\n",
            side ? "published" : "our", cold ? "cold" : "warm");
        size_t written = 0;
        for (size_t i = 0; i < picture->count; i++) {
            const struct column *column = &picture->columns[i];
            const json_t *best = column->best[side][cold];
            if (!best)
                continue;
            fprintf(data, "%.6g %.6g 0x%06x \"%gx%g\" ", place_of(column) * (side ? 0.95 : 1.04), ops_per_s(best) / 1e9,
                    figure_colour(view_format_bits(best)), view_number(best, "m"), view_number(best, "k"));
            gnuplot_write_field(data, view_text(best, "name"));
            fprintf(data, " %.6g %zu\n", column->slowest[side][cold] / 1e9, column->cells[side][cold]);
            written++;
        }
        if (!written)
            fputs("NaN NaN 0 \"\" \"\" NaN 0\n", data);
        fputs("\n\n", data);
    }
}

static void write_settings(const struct picture *picture, FILE *settings)
{
    fprintf(settings, "heading = heading.', %u thread%s'\nwidth = 860\nheight = 640\nnarrow_height = 500\n",
            picture->team, plural(picture->team));
    fprintf(settings, "x_min = %g\nx_max = %g\ny_min = %.6g\ny_max = %.6g\ncolumns = %zu\n", X_MIN, X_MAX,
            picture->y_min / 1e9, picture->y_max / 1e9, picture->count);
    set_texts(settings, "column_title", picture->count, i, "%s", picture->columns[i].width->name);
    set_numbers(settings, "column_at", picture->count, i, place_of(&picture->columns[i]));
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct picture picture = {.team = view_widest_team(view)};
    picture.hz = picture.team ? view_busy_clock_hz(view, picture.team) : (double)NAN;
    if (!(picture.hz > 0))
        return -ENODATA;
    find_columns(view, &picture);
    choose_ranges(view, &picture);
    if (!(picture.y_max > picture.y_min))
        return -ENODATA;
    write_settings(&picture, settings);
    write_slopes(view, &picture, settings, data);
    write_ceilings(&picture, data);
    write_cells(&picture, data);
    return 0;
}

const struct figure figure_roofline = {
    .name = "roofline",
    .title = "Roofline: memory slopes and up-convert ceilings",
    .caption =
        "The classic picture, with one column per width of weights. Slopes are the measured read bandwidth of each "
        "level. The short lines are what the up-convert sequence with the lowest γ allows with its operands in "
        "registers, at the core clock of the GEMV cells: solid lines are ours, dashed ones published. Marks are the "
        "fastest GEMVs: full with weights from memory, hollow with warm ones; circles are ours, triangles, on the "
        "left, published ones. A bar reaches down from the fastest to the slowest cold one of all kernels and shapes "
        "of the width. Under the memory slope a mark waits for memory, and a higher line above it gains nothing. "
        "Cells above the roof are left out.",
    .units = "operations per packed byte; Gop/s, a multiply and an add counting two",
    .lacking = "β and γ with numbers",
    .measured_by = "kneepoint characterize",
    .rank = 30,
    .section = FIGURE_GEMV,
    .needs = NEEDS(VIEW_BETA) | NEEDS(VIEW_GAMMA),
    .write = write,
};
