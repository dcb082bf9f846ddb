/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/token_scaling.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "reports/draw/gnuplot.h"
#include "reports/draw/label_places.h"
#include "reports/draw/settings.h"
#include "reports/select/tokens/decoded.h"

enum { TEAMS = 64, LINES = 2 * BITNET_SYSTEMS, PLOT_HEIGHT = 300, LABEL_HEIGHT = 15 };

struct scaling {
    const struct view *view;
    const char *model;
    unsigned teams[TEAMS];
    size_t team_count;
    struct series lines;
    const struct token_kernel *kernels[LINES];
    double last_tokens[LINES], last_rate[LINES]; /* where the lines end */
    double most_tokens, most_rate;
};

/* One block: a kernel over the teams. @return whether there is a point */
static bool write_line(struct scaling *scaling, const struct token_kernel *kernel, FILE *data)
{
    size_t points = 0, line = scaling->lines.count;
    for (size_t t = 0; t < scaling->team_count; t++) {
        struct token_bound bound = token_bound(scaling->view, scaling->model, kernel, scaling->teams[t]);
        double tokens = 1 / bound.seconds, rate = bound.bytes / bound.seconds / 1e9;
        if (!(bound.measured > 0.999) || !(tokens > 0) || !(rate > 0))
            continue;
        if (!points++)
            fputs("# threads, tokens/s, GB/s of weights, GB/token\n", data);
        fprintf(data, "%u %.5g %.5g %.5g\n", scaling->teams[t], tokens, rate, bound.bytes / 1e9);
        scaling->last_tokens[line] = tokens;
        scaling->last_rate[line] = rate;
        scaling->most_tokens = fmax(scaling->most_tokens, tokens);
        scaling->most_rate = fmax(scaling->most_rate, rate);
    }
    if (points)
        fputs("\n\n", data);
    return points > 0;
}

static void add_line(struct scaling *scaling, const struct token_kernel *kernel, const char *title, unsigned colour,
                     bool ours, FILE *data)
{
    if (!write_line(scaling, kernel, data))
        return;
    scaling->kernels[scaling->lines.count] = kernel;
    series_add(&scaling->lines, title, colour, ours ? 2 : 1, ours ? 6 : 7);
}

/* The paper's rendering and the fastest of ours. */
static void write_system(struct scaling *scaling, const struct bitnet_column *column, FILE *data)
{
    char title[64];
    snprintf(title, sizeof title, "%s, ours", column->title);
    add_line(scaling, &column->paper, column->title, column->colour, false, data);
    if (column->paper.sequence)
        add_line(scaling, &column->ours, title, column->colour, true, data);
}

/* One block: passes with a kernel over the teams. @return whether there is a point */
static bool write_passes(struct scaling *scaling, const struct token_kernel *kernel, FILE *data)
{
    size_t points = 0;
    for (size_t t = 0; t < scaling->team_count; t++) {
        const json_t *pass = decoded_with(scaling->view, scaling->model, kernel, scaling->teams[t]);
        double tokens = view_median(pass, "tokens_per_s"), rate = decoded_bytes_per_s(pass) / 1e9;
        if (!pass)
            continue;
        fprintf(data, "%s%u %.5g %.5g\n", points++ ? "" : "# threads, tokens/s of a pass, GB/s of weights\n",
                scaling->teams[t], tokens, rate);
        scaling->most_tokens = fmax(scaling->most_tokens, tokens);
        scaling->most_rate = fmax(scaling->most_rate, rate);
    }
    gnuplot_end_block(data, points, 3, 0);
    return points > 0;
}

/* @return the roof of the widest team; NaN: it was not measured */
static double write_roof(struct scaling *scaling, FILE *data)
{
    double rate = NAN;
    fputs("# threads, GB/s of the read roof\n", data);
    for (size_t t = 0; t < scaling->team_count; t++) {
        rate = token_roof(scaling->view, scaling->model, scaling->teams[t]) / 1e9;
        fprintf(data, "%u %.5g\n", scaling->teams[t], rate);
        scaling->most_rate = fmax(scaling->most_rate, rate);
    }
    fputs("\n\n", data);
    return rate;
}

/* Places of the labels of a panel whose axis begins at 0; the roof's is the last. */
static void write_places(const char *name, const double *ends, size_t count, double most, FILE *settings)
{
    double places[LINES + 1];
    for (size_t i = 0; i < count; i++)
        places[i] = ends[i] / most * PLOT_HEIGHT;
    label_places(places, count, LABEL_HEIGHT, 0, PLOT_HEIGHT);
    set_numbers(settings, name, count, i, places[i] / PLOT_HEIGHT * most);
}

static void write_settings(const struct scaling *scaling, double roof, bool passes, FILE *settings)
{
    size_t lines = scaling->lines.count;
    double tokens_max = 1.08 * scaling->most_tokens, rate_max = 1.08 * scaling->most_rate, ends[LINES + 1];
    series_write(&scaling->lines, settings);
    for (size_t i = 0; i < lines; i++)
        ends[i] = scaling->last_rate[i];
    ends[lines] = roof;
    bool has_roof = roof > 0;
    write_places("tokens_label", scaling->last_tokens, lines, tokens_max, settings);
    write_places("rate_label", ends, lines + has_roof, rate_max, settings);
    fprintf(
        settings,
        "has_roof = %d\npasses = %d\nthreads_min = %u\nthreads_max = %u\ntokens_max = %.6g\nrate_max = %.6g\nplot_height = %d\n"
        "width = 760\nheight = %d\nnarrow_height = %d\n",
        has_roof, passes, scaling->teams[0], scaling->teams[scaling->team_count - 1], tokens_max, rate_max, PLOT_HEIGHT,
        PLOT_HEIGHT + 190, PLOT_HEIGHT + 100);
}

static int write(const struct figure *figure, const struct view *view, FILE *settings, FILE *data)
{
    const struct token_scaling *of = figure->of;
    struct scaling scaling = {.view = view, .model = of->model, .lines = {.prefix = "line"}};
    scaling.team_count = view_teams(view, scaling.teams, TEAMS);
    double roof = write_roof(&scaling, data);
    for (size_t i = 0; i < of->count; i++)
        write_system(&scaling, &bitnet_columns[of->systems[i]], data);
    if (!scaling.lines.count)
        return -ENODATA;
    bool passes = false;
    for (size_t i = 0; i < scaling.lines.count; i++)
        passes |= write_passes(&scaling, scaling.kernels[i], data);
    write_settings(&scaling, roof, passes, settings);
    return 0;
}

const struct frame token_frame = {.name = "token_scaling", .write = write};
