/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/best.h"
#include "reports/select/papers/claims.h"
#include "results/files/need.h"

/* A grid with one small panel per format, and in it one line per sequence and ISA. */
enum { COLUMNS = 5, PANEL_WIDTH = 220, PANEL_HEIGHT = 168, WIDTH_LEAST = 860, ABOVE = 112, BELOW = 132 };
enum { NARROW_COLUMNS = 2, NARROW_PANEL_HEIGHT = 140, NARROW_AROUND = 260 }; /* as gamma.gp has it */

/** Numbers of accumulators from which on a line shows a slope and a plateau. */
enum { CURVE_LEAST = 4 };

/**
 * The gamma records of a run as lines over the number of accumulators: one panel per format (of one width), and in
 * it one line per sequence and ISA. Narrow weights first, then by name. What is no up-convert sequence (the experiments c2 and elut,
 * whose unit is not 32 weights) is left out.
 */
enum { SWEEPS_ROWS = 4096, SWEEPS_LINES = 512, SWEEPS_ISAS = 16 };

struct sweep_line {
    size_t first, count; /* rows */
    size_t isa;
};

struct sweep_panel {
    size_t first, count; /* lines */
};

struct sweeps {
    const json_t *rows[SWEEPS_ROWS];
    size_t count;
    struct sweep_line line[SWEEPS_LINES];
    size_t lines;
    struct sweep_panel panel[SWEEPS_LINES];
    size_t panels;
    const char *isa[SWEEPS_ISAS];
    size_t isas;
};

static int by_line(const void *a, const void *b)
{
    const json_t *left = *(const json_t *const *)a, *right = *(const json_t *const *)b;
    double wider = view_format_bits(left) - view_format_bits(right);
    if (wider != 0)
        return wider > 0 ? 1 : -1;
    int name = strcmp(view_text(left, "format"), view_text(right, "format"));
    if (!name)
        name = strcmp(view_text(left, "name"), view_text(right, "name"));
    double more = view_number(left, "accumulators") - view_number(right, "accumulators");
    return name ? name : (more > 0) - (more < 0);
}

static bool same(const json_t *a, const json_t *b, const char *field)
{
    return strcmp(view_text(a, field), view_text(b, field)) == 0;
}

static size_t isa_index(struct sweeps *sweeps, const char *isa)
{
    for (size_t i = 0; i < sweeps->isas; i++) {
        if (strcmp(sweeps->isa[i], isa) == 0)
            return i;
    }
    if (sweeps->isas == SWEEPS_ISAS)
        return SWEEPS_ISAS - 1;
    sweeps->isa[sweeps->isas] = isa;
    return sweeps->isas++;
}

static void cut_into_lines(struct sweeps *sweeps)
{
    for (size_t i = 0; i < sweeps->count; i++) {
        const json_t *row = sweeps->rows[i], *before = i ? sweeps->rows[i - 1] : NULL;
        bool panel = !before || !same(row, before, "format") || view_format_bits(row) != view_format_bits(before);
        bool line = panel || !same(row, before, "sequence") ||
                    !same(row, before, "name"); /* records from elsewhere may have one name for all */
        if (line && sweeps->lines == SWEEPS_LINES) {
            sweeps->count = i;
            return;
        }
        if (panel)
            sweeps->panel[sweeps->panels++] = (struct sweep_panel){.first = sweeps->lines};
        if (line) {
            sweeps->line[sweeps->lines++] = (struct sweep_line){i, 0, isa_index(sweeps, view_text(row, "isa"))};
            sweeps->panel[sweeps->panels - 1].count++;
        }
        sweeps->line[sweeps->lines - 1].count++;
    }
}

/** sweeps is zeroed. What exceeds its room is left out. */
static void sweeps_select(const struct view *view, struct sweeps *sweeps)
{
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count && sweeps->count < SWEEPS_ROWS; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        if (view_median(row, "gamma") > 0 && view_number(row, "accumulators") >= 1 && view_format_bits(row) > 0 &&
            !view_is_experiment(row))
            sweeps->rows[sweeps->count++] = row;
    }
    qsort(sweeps->rows, sweeps->count, sizeof *sweeps->rows, by_line);
    cut_into_lines(sweeps);
}

static double lowest(const struct sweeps *sweeps)
{
    double low = INFINITY;
    for (size_t i = 0; i < sweeps->count; i++)
        low = fmin(low, view_median(sweeps->rows[i], "gamma"));
    return low;
}

static double highest(const struct sweeps *sweeps)
{
    double high = 0;
    for (size_t i = 0; i < sweeps->count; i++)
        high = fmax(high, view_median(sweeps->rows[i], "gamma"));
    return high;
}

/* The measured points of a line, and the fit through them. */
static void write_line(const struct view *view, const struct sweeps *sweeps, const struct sweep_line *line, FILE *data)
{
    const json_t *last = sweeps->rows[line->first + line->count - 1];
    double plateau = view_number(last, "plateau"), slope = view_number(last, "slope");
    fputs("# accumulators, gamma (core cycles per vector), lowest, highest of its 95% interval, fitted max(plateau, "
          "slope / accumulators), claimed, bound, sequence\n",
          data);
    for (size_t i = line->first; i < line->first + line->count; i++) {
        const json_t *row = sweeps->rows[i], *interval = json_object_get(json_object_get(row, "gamma"), "ci95");
        double accumulators = view_number(row, "accumulators");
        fprintf(data, "%g %.6g %.6g %.6g %.6g %.6g ", accumulators, view_median(row, "gamma"),
                json_number_value(json_array_get(interval, 0)), json_number_value(json_array_get(interval, 1)),
                fmax(plateau, slope / accumulators),
                claims_is_as_published(view, row) ? view_number(row, "claimed") : NAN);
        gnuplot_write_field(data, view_text(row, "bound"));
        gnuplot_write_row(data, view_text(row, "name"), " ");
    }
    fputs("\n\n", data);
}

/* Of some fifty formats those that are our best or the best published of a width. */
static bool stands_for_a_width(const struct view *view, const struct sweeps *sweeps, const struct sweep_panel *panel)
{
    enum { BEST = 64 };
    const json_t *best[BEST];
    size_t count = reported_best_gammas(view, best, BEST);
    const char *format = view_text(sweeps->rows[sweeps->line[panel->first].first], "format");
    for (size_t i = 0; i < count; i++) {
        if (strcmp(view_text(best[i], "format"), format) == 0)
            return true;
    }
    return false;
}

static bool is_a_curve(const struct view *view, const struct sweeps *sweeps, const struct sweep_panel *panel)
{
    if (!stands_for_a_width(view, sweeps, panel))
        return false;
    for (size_t i = panel->first; i < panel->first + panel->count; i++) {
        if (sweeps->line[i].count >= CURVE_LEAST)
            return true;
    }
    return false;
}

/* Formats whose lines are no curves have nothing to show here. */
static void keep_curves(const struct view *view, struct sweeps *sweeps)
{
    size_t all = sweeps->panels, lines = 0;
    sweeps->panels = 0;
    for (size_t p = 0; p < all; p++) {
        struct sweep_panel panel = sweeps->panel[p];
        if (!is_a_curve(view, sweeps, &panel))
            continue;
        memmove(&sweeps->line[lines], &sweeps->line[panel.first], panel.count * sizeof *sweeps->line);
        sweeps->panel[sweeps->panels++] = (struct sweep_panel){lines, panel.count};
        lines += panel.count;
    }
    sweeps->lines = lines;
}

/* The first row of a panel, for the name and width of its format. */
static const json_t *row_of(const struct sweeps *sweeps, const struct sweep_panel *panel)
{
    return sweeps->rows[sweeps->line[panel->first].first];
}

struct asked {
    const struct view *view;
    const char *format;
};

static bool is_asked(const void *of, const json_t *row)
{
    const struct asked *asked = of;
    return strcmp(view_text(row, "format"), asked->format) == 0 && view_is_candidate(asked->view, row);
}

/* What the format of a panel is known by. */
static const json_t *best_of(const struct view *view, const struct sweeps *sweeps, const struct sweep_panel *panel)
{
    const struct asked asked = {view, view_text(row_of(sweeps, panel), "format")};
    return best_among(view, VIEW_GAMMA, is_asked, &asked, NULL).row;
}

static void write_titles(const struct view *view, const struct sweeps *sweeps, FILE *settings)
{
    struct settings_array titles = settings_texts(settings, "panel_title", sweeps->panels);
    for (size_t p = 0; p < sweeps->panels; p++) {
        const json_t *row = row_of(sweeps, &sweeps->panel[p]);
        double bits = view_format_bits(row);
        array_text(&titles, "%.40s, %.3g bit%s", view_text(row, "format"), bits, bits == 1 ? "" : "s");
    }
    struct settings_array best = settings_texts(settings, "panel_best", sweeps->panels);
    for (size_t p = 0; p < sweeps->panels; p++) {
        const json_t *row = best_of(view, sweeps, &sweeps->panel[p]);
        array_text(&best, "%.3g  %.24s", view_median(row, "gamma"), view_text(row, "sequence"));
    }
    set_texts(settings, "panel_isa", sweeps->panels, p, ".%.24s",
              view_text(best_of(view, sweeps, &sweeps->panel[p]), "isa"));
}

static void write_panels(const struct view *view, const struct sweeps *sweeps, FILE *settings)
{
    set_numbers(settings, "panel_first", sweeps->panels, p, (double)(sweeps->panel[p].first + 1));
    set_numbers(settings, "panel_last", sweeps->panels, p, (double)(sweeps->panel[p].first + sweeps->panel[p].count));
    write_titles(view, sweeps, settings);
    set_colours(settings, "panel_colour", sweeps->panels, p,
                figure_colour(view_format_bits(row_of(sweeps, &sweeps->panel[p]))));
}

static void write_isas(const struct sweeps *sweeps, FILE *settings)
{
    fprintf(settings, "isas = %zu\n", sweeps->isas);
    set_texts(settings, "isa_title", sweeps->isas, i, "%s", sweeps->isa[i]);
    set_numbers(settings, "line_isa", sweeps->lines, i, (double)(sweeps->line[i].isa + 1));
}

static void write_settings(const struct view *view, const struct sweeps *sweeps, FILE *settings)
{
    size_t columns = sweeps->panels < COLUMNS ? sweeps->panels : COLUMNS,
           rows = (sweeps->panels + COLUMNS - 1) / COLUMNS;
    fprintf(settings,
            "panels = %zu\ncolumns = %zu\nwidth = %zu\nheight = %zu\nnarrow_height = %zu\nabove = %d\nbelow = %d\n"
            "y_low = %g\ny_high = %g\n",
            sweeps->panels, columns, columns < 4 ? WIDTH_LEAST : 70 + columns * PANEL_WIDTH,
            ABOVE + BELOW + rows * PANEL_HEIGHT,
            (size_t)NARROW_AROUND + (sweeps->panels + NARROW_COLUMNS - 1) / NARROW_COLUMNS * NARROW_PANEL_HEIGHT, ABOVE,
            BELOW, exp2(floor(log2(lowest(sweeps)))),
            exp2(floor(log2(highest(sweeps))) + 1)); /* never an empty range */
    write_panels(view, sweeps, settings);
    write_isas(sweeps, settings);
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct sweeps *sweeps = need(1, sizeof *sweeps);
    if (!sweeps)
        return -ENOMEM;
    sweeps_select(view, sweeps);
    keep_curves(view, sweeps);
    int error = sweeps->panels ? 0 : -ENODATA;
    for (size_t i = 0; i < sweeps->lines; i++)
        write_line(view, sweeps, &sweeps->line[i], data);
    if (!error)
        write_settings(view, sweeps, settings);
    free(sweeps);
    return error;
}

const struct figure figure_gamma = {
    .name = "gamma",
    .title = "Core cycles to up-convert and multiply 32 weights, against independent accumulators",
    .caption =
        "One panel for each format that has the best sequence of a width, ours or published, with one line per sequence and instruction set, which the values on hover name; the lowest "
        "γ is under the title. Points are measured, lines are fitted as the larger of a plateau and a slope over the "
        "number of accumulators. On the falling part the latency of the accumulator chain binds: more accumulators "
        "help. On the plateau the execution ports or the front end bind. Both axes are logarithmic; lower is better. "
        "Formats with fewer than four numbers of accumulators have no curve and no panel; their lowest γ is in the "
        "table of γ. An interval is drawn where it is wider than the mark.",
    .units = "core cycles per output vector of 32 weights",
    .lacking = "γ of a sequence with four numbers of accumulators",
    .measured_by = "kneepoint gamma",
    .rank = 40,
    .section = FIGURE_SEQUENCES,
    .needs = NEEDS(VIEW_GAMMA),
    .write = write,
};
