/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/validation.h"

/* Marks of gnuplot by level, hollow and filled. */
static const struct {
    const char *level;
    int hollow, filled;
} marks[] = {{"L1", 6, 7}, {"L2", 4, 5}, {"L3", 8, 9}, {"memory", 12, 13}};
enum { LEVELS = sizeof marks / sizeof *marks };

static const char *const panel_titles[] = {"no software prefetch", "software prefetch"};

static int mark_of(const json_t *row)
{
    for (size_t i = 0; i < LEVELS; i++) {
        if (strcmp(view_text(row, "level"), marks[i].level) == 0)
            return validation_is_valid(row) ? marks[i].filled : marks[i].hollow;
    }
    return 0;
}

static bool is_drawn(const json_t *row)
{
    return validation_is_point(row) && mark_of(row) && view_format_bits(row) > 0;
}

/* On the axes on which all sequences are one curve. */
static double height(const json_t *row)
{
    return view_median(row, "e_bw") / view_number(row, "knee");
}

struct range {
    double x_low, x_high, y_low, y_high;
    double ratio_low, ratio_high; /* of what the model says */
};

static void widen(struct range *range, const json_t *row)
{
    double x = view_number(row, "distance"), y = height(row), ratio = y / fmin(x, 1);
    range->x_low = fmin(range->x_low, x);
    range->x_high = fmax(range->x_high, x);
    range->y_low = fmin(range->y_low, y);
    range->y_high = fmax(range->y_high, y);
    range->ratio_low = fmin(range->ratio_low, ratio);
    range->ratio_high = fmax(range->ratio_high, ratio);
}

static void write_point(const json_t *row, FILE *data)
{
    fprintf(data, "%.6g %.6g %d %u ", view_number(row, "distance"), height(row), mark_of(row),
            figure_colour(view_format_bits(row)));
    gnuplot_write_field(data, view_text(row, "level"));
    gnuplot_write_row(data, view_text(row, "name"), " %.0f %.6g %.6g %.6g %.6g ", view_number(row, "threads"),
                      view_median(row, "beta"), view_number(row, "knee"), view_median(row, "e_bw"),
                      view_number(row, "overlap"));
}

/* The points of a panel that have one colour. @return how many */
static size_t write_colour(const struct view *view, bool prefetch, unsigned colour, struct range *range, FILE *data)
{
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_KNEE].count; i++) {
        const json_t *row = view->of[VIEW_KNEE].rows[i];
        if (!is_drawn(row) || validation_prefetches(row) != prefetch || figure_colour(view_format_bits(row)) != colour)
            continue;
        write_point(row, data);
        widen(range, row);
        count++;
    }
    return count;
}

/* Colour by colour, which takes fewer bytes as a picture. @return how many points of the panel there are */
static size_t write_panel(const struct view *view, bool prefetch, struct range *range, FILE *data)
{
    unsigned colours[SERIES_MAX];
    size_t count = 0, colour_count = 0;
    fprintf(data,
            "# %s\n# beta gamma/B, e_bw gamma/B, mark, colour, level, threads, beta, B/gamma, e_bw (B/cycle), "
            "overlap, sequence\n",
            panel_titles[prefetch]);
    for (size_t i = 0; i < view->of[VIEW_KNEE].count && colour_count < SERIES_MAX; i++) {
        unsigned colour = figure_colour(view_format_bits(view->of[VIEW_KNEE].rows[i]));
        size_t at = 0;
        while (at < colour_count && colours[at] != colour)
            at++;
        if (at < colour_count)
            continue;
        colours[colour_count++] = colour;
        count += write_colour(view, prefetch, colour, range, data);
    }
    gnuplot_end_block(data, count, 4, 7);
    return count;
}

/* "no software prefetch: overlap 31% from memory, 93% from caches" */
static void write_title(const struct view *view, bool prefetch, struct settings_array *titles)
{
    static const char *const levels[] = {"memory", "cache"}, *const named[] = {"memory", "caches"};
    char title[160];
    int length = snprintf(title, sizeof title, "%s", panel_titles[prefetch]);
    const char *glue = ": overlap ";
    for (int i = 0; i < 2; i++) {
        size_t count;
        double overlap = validation_median(view, &(struct validation_query){levels[i], prefetch}, "overlap", &count);
        if (!count)
            continue;
        length +=
            snprintf(title + length, sizeof title - (size_t)length, "%s%.0f%% from %s", glue, 100 * overlap, named[i]);
        glue = ", ";
    }
    array_text(titles, "%s", title);
}

static bool is_present(const struct view *view, const char *level, bool valid)
{
    for (size_t i = 0; i < view->of[VIEW_KNEE].count; i++) {
        const json_t *row = view->of[VIEW_KNEE].rows[i];
        if (is_drawn(row) && (!level || strcmp(view_text(row, "level"), level) == 0) &&
            (!valid || validation_is_valid(row)))
            return true;
    }
    return false;
}

/* A colour is of a band of widths: the legend tells which of them are there, "1.58 to 1.69-bit". */
static void write_colours(const struct view *view, FILE *settings)
{
    struct series colours = {.prefix = "colour"};
    struct {
        unsigned colour;
        double least, most;
    } bands[SERIES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_KNEE].count; i++) {
        const json_t *row = view->of[VIEW_KNEE].rows[i];
        double bits = view_format_bits(row);
        size_t at = 0;
        if (!is_drawn(row))
            continue;
        while (at < count && bands[at].colour != figure_colour(bits))
            at++;
        if (at == count && count < SERIES_MAX) {
            bands[count].colour = figure_colour(bits);
            bands[count].least = bands[count].most = bits;
            count++;
        }
        bands[at].least = fmin(bands[at].least, bits);
        bands[at].most = fmax(bands[at].most, bits);
    }
    for (size_t drawn = 0; drawn < count; drawn++) { /* widest weights first */
        size_t widest = 0;
        char title[64];
        for (size_t i = 1; i < count; i++)
            widest = bands[i].most > bands[widest].most ? i : widest;
        if (bands[widest].least < bands[widest].most)
            snprintf(title, sizeof title, "%.3g to %.3g-bit", bands[widest].least, bands[widest].most);
        else
            snprintf(title, sizeof title, "%.3g-bit", bands[widest].most);
        series_add(&colours, title, bands[widest].colour, 1, 5);
        bands[widest].most = 0;
    }
    series_write(&colours, settings);
}

static void write_levels(const struct view *view, FILE *settings)
{
    struct series levels = {.prefix = "level"};
    for (size_t i = 0; i < LEVELS; i++) {
        if (is_present(view, marks[i].level, false))
            series_add(&levels, marks[i].level, 0, 1, marks[i].filled);
    }
    series_write(&levels, settings);
}

static bool any_invalid(const struct view *view)
{
    for (size_t i = 0; i < view->of[VIEW_KNEE].count; i++) {
        if (is_drawn(view->of[VIEW_KNEE].rows[i]) && !validation_is_valid(view->of[VIEW_KNEE].rows[i]))
            return true;
    }
    return false;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct range range = {INFINITY, 0, INFINITY, 0, INFINITY, 0};
    if (!is_present(view, NULL, false))
        return -ENODATA;
    size_t plain = write_panel(view, false, &range, data), ahead = write_panel(view, true, &range, data);
    fprintf(settings,
            "width = 1080\nheight = 840\nnarrow_height = 780\npoints_plain = %zu\npoints_ahead = %zu\ninvalid = %d\n",
            plain, ahead, any_invalid(view));
    /* the knee is in sight, whatever was measured */
    fprintf(settings, "x_low = %.6g\nx_high = %.6g\ny_low = %.6g\ny_high = %.6g\n", fmin(range.x_low, 0.7) / 1.25,
            fmax(range.x_high, 1.5) * 1.25, fmin(range.y_low, 0.5) / 1.15, fmax(range.y_high, 1) * 1.15);
    fprintf(settings, "ratio_low = %.6g\nratio_high = %.6g\n", fmin(range.ratio_low, 0.5) - 0.05,
            fmin(fmax(range.ratio_high, 1) + 0.05, 2));
    struct settings_array titles = settings_texts(settings, "panel_title", 2);
    write_title(view, false, &titles);
    write_title(view, true, &titles);
    write_colours(view, settings);
    write_levels(view, settings);
    return 0;
}

const struct figure figure_knee_validation = {
    .name = "knee_validation",
    .title = "Does the model hold? Sequences as streams from every level of the memory",
    .caption =
        "A point is one sequence with the loads of its weights, streamed from one level with one team. x is the β of "
        "that level, measured alongside, over the knee of the sequence; y is the bandwidth it attains over its own "
        "limit B/γ, in the lower panels over the model. On these axes the model, min(β, B/γ), is one line for all "
        "sequences, the solid one; if loading and computing did not overlap at all, points would lie on the dashed "
        "one. Overlap is the median of the points where both sides matter: 100% is the solid line, 0% the dashed. "
        "Hollow points are not valid: 3% above what β or γ alone allow, or with fewer than six pairs of samples. "
        "Hover over the lower panels for values.",
    .units = "distance and e_bw relative to the knee B/γ, no unit",
    .lacking = "stream with its knee",
    .measured_by = "kneepoint knee",
    .rank = 15,
    .section = FIGURE_MODEL,
    .needs = NEEDS(VIEW_KNEE),
    .write = write,
};
