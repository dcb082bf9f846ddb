/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/claims.h"
#include "reports/figure.h"
#include "reports/gnuplot.h"
#include "reports/series.h"

enum { POINTS = 2048, PANELS = 8 };

/* Rows of the sweep, ordered by width (narrowest weights last), name and accumulators. */
struct sweep {
    const json_t *rows[POINTS];
    size_t count;
};

struct panels {
    size_t count, first[PANELS], last[PANELS]; /* lines of each, from 1 */
    double bits[PANELS];
};

static int by_line(const void *a, const void *b)
{
    const json_t *left = *(const json_t *const *)a, *right = *(const json_t *const *)b;
    double wider = view_format_bits(right) - view_format_bits(left);
    if (wider != 0)
        return wider > 0 ? 1 : -1;
    if (view_is_paper(left) != view_is_paper(right))
        return view_is_paper(left) ? -1 : 1;
    int name = strcmp(view_text(left, "name"), view_text(right, "name"));
    double more = view_number(left, "accumulators") - view_number(right, "accumulators");
    return name ? name : (more > 0) - (more < 0);
}

static void select_sweep(const struct view *view, struct sweep *sweep)
{
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count && sweep->count < POINTS; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (view_median(row, "gamma") > 0 && view_number(row, "accumulators") >= 1 && view_format_bits(row) > 0)
            sweep->rows[sweep->count++] = row;
    }
    qsort(sweep->rows, sweep->count, sizeof *sweep->rows, by_line);
}

static bool begins_line(const struct sweep *sweep, size_t at)
{
    return at == 0 || strcmp(view_text(sweep->rows[at], "name"), view_text(sweep->rows[at - 1], "name")) != 0;
}

static void add_to_panel(struct panels *panels, double bits, size_t line)
{
    bool same = panels->count && panels->bits[panels->count - 1] == bits;
    if (!same && panels->count < PANELS) {
        panels->bits[panels->count] = bits;
        panels->first[panels->count++] = line;
    }
    if (panels->count && panels->bits[panels->count - 1] == bits)
        panels->last[panels->count - 1] = line;
}

/* One block of data a line; titles and panels of the lines. */
static void write_lines(const struct sweep *sweep, struct panels *panels, FILE *settings, FILE *data)
{
    struct series lines = {.prefix = "line"};
    int variant = 0;
    double previous_bits = 0;
    static const int marks[] = {7, 5, 9, 13, 11, 6, 4, 8};
    for (size_t i = 0; i < sweep->count && lines.count < SERIES_MAX; i++) {
        const json_t *row = sweep->rows[i];
        const char *name = view_text(row, "name");
        if (begins_line(sweep, i)) {
            variant = view_format_bits(row) == previous_bits ? variant + 1 : 0;
            previous_bits = view_format_bits(row);
            fprintf(data,
                    "%s# accumulators, gamma (core cycles per vector), lowest, highest of its 95%% interval, bound\n",
                    i ? "\n\n" : "");
            series_add(&lines, name, figure_colour(view_format_bits(row)), view_is_paper(row) ? 2 : 1,
                       marks[variant % 8]);
            add_to_panel(panels, view_format_bits(row), lines.count);
        }
        const json_t *interval = json_object_get(json_object_get(row, "gamma"), "ci95");
        fprintf(data, "%g %.6g %.6g %.6g ", view_number(row, "accumulators"), view_median(row, "gamma"),
                json_number_value(json_array_get(interval, 0)), json_number_value(json_array_get(interval, 1)));
        gnuplot_write_field(data, view_text(row, "bound"));
        fputc(' ', data);
        gnuplot_write_field(data, name);
        fputc('\n', data);
    }
    fputs("\n\n", data);
    series_write(&lines, settings);
}

static size_t write_claims(const struct view *view, const struct sweep *sweep, double bits, FILE *data)
{
    size_t claims = 0;
    fprintf(data, "# accumulators, gamma claimed by the paper, %g-bit\n", bits);
    for (size_t i = 0; i < sweep->count; i++) {
        const json_t *row = sweep->rows[i];
        if (view_format_bits(row) != bits || !claims_is_as_published(view, row))
            continue;
        claims++;
        fprintf(data, "%g %.6g\n", view_number(row, "accumulators"), view_number(row, "claimed"));
    }
    fputs(claims ? "\n\n" : "NaN NaN\n\n\n", data);
    return claims;
}

static void write_panels(const struct view *view, const struct sweep *sweep, const struct panels *panels,
                         FILE *settings, FILE *data)
{
    fprintf(settings, "panels = %zu\n", panels->count);
    const char *const fields[] = {"first", "last", "claims", "title"};
    for (int f = 0; f < 4; f++) {
        fprintf(settings, "array panel_%s[%zu] = [", fields[f], panels->count);
        for (size_t p = 0; p < panels->count; p++) {
            fputs(p ? ", " : "", settings);
            if (f == 0)
                fprintf(settings, "%zu", panels->first[p]);
            if (f == 1)
                fprintf(settings, "%zu", panels->last[p]);
            if (f == 2)
                fprintf(settings, "%zu", write_claims(view, sweep, panels->bits[p], data));
            if (f == 3)
                fprintf(settings, "'%.3g-bit weights'", panels->bits[p]);
        }
        fputs("]\n", settings);
    }
}

static void write_ranges(const struct sweep *sweep, const struct panels *panels, FILE *settings)
{
    double low = INFINITY, high = 0, most = 1;
    for (size_t i = 0; i < sweep->count; i++) {
        low = fmin(low, view_median(sweep->rows[i], "gamma"));
        high = fmax(high, view_median(sweep->rows[i], "gamma"));
        most = fmax(most, view_number(sweep->rows[i], "accumulators"));
    }
    size_t rows = 1;
    for (size_t p = 0; p < panels->count; p++)
        rows = panels->last[p] - panels->first[p] + 2 > rows ? panels->last[p] - panels->first[p] + 2 : rows;
    double key = 78 + 21.5 * (double)rows, height = 400 + key;
    fprintf(settings,
            "y_low = %g\ny_high = %g\nx_max = %g\nkey_rows = %zu\nwidth = 1080\nheight = %.0f\nkey_share = %.3f\n",
            exp2(floor(log2(low))), high * 1.25, most * 1.2, rows, height, key / height);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct sweep sweep = {0};
    struct panels panels = {0};
    select_sweep(view, &sweep);
    if (!sweep.count)
        return -ENODATA;
    write_lines(&sweep, &panels, settings, data);
    write_ranges(&sweep, &panels, settings);
    write_panels(view, &sweep, &panels, settings, data);
    return 0;
}

static const enum view_type needs[] = {VIEW_GAMMA};

const struct figure figure_gamma = {
    .name = "gamma",
    .title = "Core cycles to up-convert and multiply 32 weights, against independent accumulators",
    .caption = "Falling lines are bound by the latency of the accumulator chain: more accumulators help. Where a line "
               "is flat, the "
               "execution ports or the front end bind. Both axes are logarithmic; lower is better.",
    .rank = 40,
    .needs = needs,
    .needs_count = 1,
    .write = write,
};
