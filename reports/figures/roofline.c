/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/series.h"
#include "roofline/ebw.h"

enum { TEAMS = 64, FAMILIES = 32 };

static const char *const levels[] = {"memory", "L3", "L2", "L1"};
enum { LEVELS = sizeof levels / sizeof *levels };

struct picture {
    unsigned team;
    double hz;
    const json_t *families[FAMILIES];
    size_t family_count;
    double x_min, x_max, y_min, y_max;
};

/* Operations per packed byte: 2 per weight, 8/bits weights a byte. */
static double intensity(const json_t *record)
{
    return 16 / view_bits(record);
}

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
    return view_number(gemv, "threads") == picture->team && !view_flag(gemv, "above_roof") && ops_per_s(gemv) > 0 &&
           view_bits(gemv) > 0;
}

static void choose_ranges(const struct view *view, struct picture *picture)
{
    picture->x_min = 1;
    picture->x_max = 32;
    picture->y_min = INFINITY;
    picture->y_max = 0;
    for (size_t i = 0; i < picture->family_count; i++) {
        picture->y_max = fmax(picture->y_max, ceiling_ops_per_s(picture, picture->families[i]));
        picture->y_min = fmin(picture->y_min, ceiling_ops_per_s(picture, picture->families[i]));
    }
    double roof = view_median(view_roof(view, "memory", picture->team), "bytes_per_s");
    if (roof > 0)
        picture->y_min = fmin(picture->y_min, roof * picture->x_min);
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        if (in_picture(picture, view->of[VIEW_GEMV].rows[i]))
            picture->y_min = fmin(picture->y_min, ops_per_s(view->of[VIEW_GEMV].rows[i]));
    }
    picture->y_max *= 2;
    picture->y_min *= 0.8;
}

static void write_slopes(const struct view *view, const struct picture *picture, FILE *settings, FILE *data)
{
    static const int dashes[LEVELS] = {1, 2, 4, 3};
    struct series slopes = {.prefix = "slope"};
    for (int i = 0; i < LEVELS; i++) {
        double rate = view_median(view_roof(view, levels[i], picture->team), "bytes_per_s");
        if (!(rate > 0))
            continue;
        fprintf(data, "# operations per byte, Gop/s under the roof of %s\n", levels[i]);
        fprintf(data, "%g %.6g\n%g %.6g\n\n\n", picture->x_min, rate * picture->x_min / 1e9, picture->x_max,
                rate * picture->x_max / 1e9);
        char title[64];
        snprintf(title, sizeof title, "%s, %.*f GB/s", levels[i], rate < 1e11 ? 1 : 0, rate / 1e9);
        series_add(&slopes, title, i == 0 ? 0x1a1a1a : 0x808080, dashes[i], 0);
    }
    series_write(&slopes, settings);
}

/* A ceiling runs around the intensity that its format has, over a factor of two on both sides. */
static void write_ceilings(const struct picture *picture, FILE *settings, FILE *data)
{
    struct series ceilings = {.prefix = "ceiling"};
    for (size_t i = 0; i < picture->family_count; i++) {
        const json_t *row = picture->families[i];
        double height = ceiling_ops_per_s(picture, row) / 1e9;
        char label[64], title[160];
        fputs("# operations per byte, Gop/s that the sequence allows\n", data);
        fprintf(data, "%.6g %.6g\n%.6g %.6g\n\n\n", intensity(row) / 1.6, height, intensity(row) * 1.6, height);
        figure_family_label(row, label, sizeof label);
        snprintf(title, sizeof title, "%s, γ = %.2f", label, view_median(row, "gamma"));
        series_add(&ceilings, title, figure_colour(view_format_bits(row)), view_is_paper(row) ? 2 : 1, 0);
    }
    series_write(&ceilings, settings);
}

/*
 * Measured GEMVs of one family and protocol: the fastest, and down to which the others reach. Shifted by family so that the
 * paper's and ours do not hide each other.
 */
static size_t write_cloud(const struct view *view, const struct picture *picture, size_t family, bool cold, FILE *data)
{
    const json_t *row_of_family = picture->families[family], *best = NULL;
    double shift = (view_is_paper(row_of_family) ? 0.93 : 1.07) * (cold ? 0.985 : 1.015), slowest = INFINITY;
    size_t points = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        if (!in_picture(picture, row) || !view_same_family(row, row_of_family) || view_is_cold(row) != cold)
            continue;
        points++;
        slowest = fmin(slowest, ops_per_s(row));
        if (!best || ops_per_s(row) > ops_per_s(best))
            best = row;
    }
    if (!best)
        return 0;
    fprintf(
        data,
        "# operations per byte (times %.3f), Gop/s of the fastest, %s, shape, kernel, Gop/s of the slowest, GEMVs\n",
        shift, cold ? "cold" : "warm");
    fprintf(data, "%.6g %.6g \"%gx%g\" ", intensity(best) * shift, ops_per_s(best) / 1e9, view_number(best, "m"),
            view_number(best, "k"));
    gnuplot_write_field(data, view_text(best, "name"));
    fprintf(data, " %.6g %zu\n\n\n", slowest / 1e9, points);
    return points;
}

/* Filled cold and hollow warm, a triangle the papers' and a circle ours; the colour is that of the width. */
static int mark_of(bool paper, bool cold)
{
    return (paper ? 8 : 6) + cold;
}

static void write_clouds(const struct view *view, const struct picture *picture, FILE *settings, FILE *data)
{
    struct series clouds = {.prefix = "cloud"}, marks = {.prefix = "mark"};
    bool seen[2][2] = {{false}};
    for (size_t i = 0; i < picture->family_count; i++) {
        for (int cold = 1; cold >= 0; cold--) {
            bool paper = view_is_paper(picture->families[i]);
            if (!write_cloud(view, picture, i, cold, data))
                continue;
            series_add(&clouds, "", figure_colour(view_format_bits(picture->families[i])), 1, mark_of(paper, cold));
            seen[paper][cold] = true;
        }
    }
    for (int i = 3; i >= 0; i--) {
        bool paper = i % 2, cold = i / 2;
        if (seen[paper][cold])
            series_add(&marks,
                       cold    ? paper ? "cold GEMV, a paper's" : "cold GEMV"
                       : paper ? "warm GEMV, a paper's"
                               : "warm GEMV",
                       0, 1, mark_of(paper, cold));
    }
    series_write(&clouds, settings);
    series_write(&marks, settings);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct picture picture = {0};
    unsigned teams[TEAMS];
    size_t team_count = view_teams(view, teams, TEAMS);
    picture.family_count = view_best_gammas(view, picture.families, FAMILIES);
    if (!team_count || !picture.family_count)
        return -ENODATA;
    picture.team = teams[team_count - 1];
    picture.hz = view_busy_clock_hz(view, picture.team);
    if (!(picture.hz > 0))
        return -ENODATA;
    choose_ranges(view, &picture);
    fprintf(settings, "heading = heading.', %u thread%s'\nwidth = 980\nheight = 620\n", picture.team,
            picture.team == 1 ? "" : "s");
    fprintf(settings, "x_min = %g\nx_max = %g\ny_min = %.6g\ny_max = %.6g\n", picture.x_min, picture.x_max,
            picture.y_min / 1e9, picture.y_max / 1e9);
    write_slopes(view, &picture, settings, data);
    write_ceilings(&picture, settings, data);
    write_clouds(view, &picture, settings, data);
    fprintf(settings, "narrow_height = %zu\n", 480 + 10 * (LEVELS + picture.family_count + 5));
    return 0;
}

static const enum view_type needs[] = {VIEW_BETA, VIEW_GAMMA};

const struct figure figure_roofline = {
    .name = "roofline",
    .title = "Roofline: memory slopes and up-convert ceilings",
    .caption =
        "The classic picture. Slopes are the measured read bandwidth of each level, short horizontal lines the "
        "operations per second that an up-convert sequence allows with its operands in registers, at the core clock of "
        "the GEMV cells. A mark is the fastest GEMV of a width, of a paper's kernels or of ours, in the colour of the width; its bar reaches "
        "down to the slowest of all kernels and shapes. All marks of a width "
        "have the same intensity (less where a matrix is padded); they are moved sideways so as not to hide each "
        "other: the papers' to the left and ours to the right, of each cold to the left and warm to the "
        "right. Cells above the roof are left out.",
    .units = "operations per packed byte; Gop/s, a multiply and an add counting two",
    .lacking = "β and γ with numbers",
    .measured_by = "kneepoint characterize",
    .rank = 30,
    .section = FIGURE_GEMV,
    .needs = needs,
    .needs_count = 2,
    .write = write,
};
