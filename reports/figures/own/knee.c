/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/label_places.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/best.h"
#include "reports/select/papers/claims.h"
#include "reports/select/run/reported.h"
#include "roofline/ebw.h"

enum {
    LINES = 32,
    TEAMS = 64,
    SHAPES = 1024,
    PLOT_HEIGHT = 300,
    LABEL_HEIGHT = 15,
    ROW_HEIGHT = 17,
    NOTES = 4,
    NOTE_LENGTH = 100
};

/** The plot reaches this many times beta, so that what happens near it fills the plot. */
#define REACH 2.5

/* The paper's and our best sequence of each width of low-bit weights, and int8 as the reference; then the paper's as
 * published, where those are other ones. */
struct knee {
    const json_t *sequences[LINES];
    size_t family_count, sequence_count;
    unsigned teams[TEAMS];
    double betas[TEAMS];
    size_t team_count;
    double x_max, y_max;
};

static double line_at(const json_t *gamma, double beta)
{
    return roofline_effective_bandwidth(beta, 4 * view_bits(gamma), view_median(gamma, "gamma"));
}

static size_t beta_bars(const struct view *view, struct knee *knee)
{
    unsigned teams[TEAMS];
    size_t count = view_teams(view, teams, TEAMS), kept = 0;
    for (size_t i = 0; i < count; i++) {
        double beta = view_median(view_roof(view, "memory", teams[i]), "bytes_per_cycle_per_core");
        if (!(beta > 0))
            continue;
        knee->teams[kept] = teams[i];
        knee->betas[kept++] = beta;
    }
    return kept;
}

static void add_published(const struct view *view, struct knee *knee)
{
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count && knee->sequence_count < LINES; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        bool drawn = !claims_is_as_published(view, row) || !(view_bits(row) > 0);
        for (size_t f = 0; f < knee->family_count && !drawn; f++)
            drawn = reported_same(knee->sequences[f], row);
        if (!drawn)
            knee->sequences[knee->sequence_count++] = row;
    }
}

/* A knee far to the right of this machine's beta appears in the legend only. */
static void choose_range(struct knee *knee)
{
    double widest = 0, height = 0;
    for (size_t i = 0; i < knee->team_count; i++)
        widest = fmax(widest, knee->betas[i]);
    knee->x_max = fmax(REACH * knee->betas[knee->team_count - 1], 1.3 * widest);
    for (size_t i = 0; i < knee->sequence_count; i++)
        height = fmax(height, line_at(knee->sequences[i], knee->x_max));
    knee->y_max = 1.12 * height; /* room for the label of the bars */
}

static void write_bars(const struct knee *knee, FILE *settings, FILE *data)
{
    fputs("# beta (B/cycle), team\n", data);
    for (size_t i = 0; i < knee->team_count; i++)
        fprintf(data, "%.6g \"%u thread%s\"\n", knee->betas[i], knee->teams[i], knee->teams[i] == 1 ? "" : "s");
    fputs("\n\n", data);

    fprintf(settings, "bars = %zu\n", knee->team_count);
    set_numbers(settings, "bar_beta", knee->team_count, i, knee->betas[i]);
    fputs("bar_label = 'β here: ", settings);
    for (size_t i = 0; i < knee->team_count; i++) {
        if (i && i + 1 < knee->team_count && knee->team_count > 3) /* a label has room for three */
            continue;
        fprintf(settings, "%s%.2f (%u thread%s)", i ? ", " : "", knee->betas[i], knee->teams[i],
                knee->teams[i] == 1 ? "" : "s");
    }
    fputs("'\n", settings);
}

static double bend_of(const json_t *row)
{
    return roofline_knee(4 * view_bits(row), view_median(row, "gamma"));
}

/* Sequences whose line leaves the diagonal within the plot: the others are named below it. */
static size_t bending(const struct knee *knee, size_t *index)
{
    size_t count = 0;
    for (size_t i = 0; i < knee->sequence_count; i++) {
        if (bend_of(knee->sequences[i]) < knee->x_max)
            index[count++] = i;
    }
    return count;
}

static void short_label(const struct knee *knee, size_t at, char *text, size_t size)
{
    const json_t *row = knee->sequences[at];
    if (at < knee->family_count)
        figure_family_label(row, text, size);
    else
        snprintf(text, size, "%.3g-bit, as published", view_format_bits(row));
}

/* Labels stand beside the ends of the lines, apart from each other. */
static void write_label_places(const struct knee *knee, const size_t *index, size_t count, FILE *settings)
{
    double places[LINES];
    for (size_t i = 0; i < count; i++)
        places[i] = PLOT_HEIGHT * line_at(knee->sequences[index[i]], knee->x_max) / knee->y_max;
    label_places(places, count, LABEL_HEIGHT, 0, PLOT_HEIGHT);
    set_numbers(settings, "line_label", count, i, places[i] * knee->y_max / PLOT_HEIGHT);
    set_numbers(settings, "line_width", count, i, index[i] < knee->family_count ? 2.2 : 1.2);
    struct settings_array names = settings_texts(settings, "line_name", count);
    for (size_t i = 0; i < count; i++) {
        char label[160];
        figure_sequence_label(knee->sequences[index[i]], index[i] >= knee->family_count, label, sizeof label);
        array_text(&names, "%s", label);
    }
}

/* "16-bit 31.9, 8-bit 126", in as many lines as it takes. @return how many */
static size_t write_beyond(const struct knee *knee, FILE *settings)
{
    char lines[NOTES][NOTE_LENGTH + 64] = {""}, label[96];
    size_t line = 0;
    for (size_t i = 0; i < knee->sequence_count; i++) {
        double bend = bend_of(knee->sequences[i]);
        if (bend < knee->x_max || line == NOTES)
            continue;
        short_label(knee, i, label, sizeof label);
        size_t length = strlen(lines[line]);
        snprintf(lines[line] + length, sizeof lines[line] - length, "%s%s %.3g", length ? ";  " : "", label, bend);
        line += strlen(lines[line]) > NOTE_LENGTH - 24;
    }
    size_t count = line < NOTES && *lines[line] ? line + 1 : line;
    fprintf(settings, "notes = %zu\n", count);
    set_texts(settings, "note", count, i, "%s", lines[i]);
    return count;
}

static void write_lines(const struct knee *knee, FILE *settings, FILE *data)
{
    struct series lines = {.prefix = "line"};
    size_t index[LINES], count = bending(knee, index);
    fprintf(data, "# beta, e_bw (B/cycle) as long as memory is the limit\n0 0\n%.6g %.6g\n\n\n", knee->x_max,
            knee->x_max);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = knee->sequences[index[i]];
        double bend = bend_of(row);
        char label[96], title[160];
        fprintf(data, "# beta, e_bw (B/cycle) of %s\n%.6g %.6g\n%.6g %.6g\n\n\n", view_text(row, "name"), bend, bend,
                knee->x_max, line_at(row, knee->x_max));
        short_label(knee, index[i], label, sizeof label);
        snprintf(title, sizeof title, "%s: %.3g", label, bend);
        series_add(&lines, title, figure_colour(view_format_bits(row)), view_is_paper(row) ? 2 : 1, 0);
    }
    series_write(&lines, settings);
    write_label_places(knee, index, count, settings);
}

/* What a family attains on a team with its fastest kernel of each shape. */
struct attained {
    const json_t *reference, *slowest, *fastest; /* reference: the reference shape, else one in the middle */
};

static double rate(const json_t *gemv)
{
    return view_median(gemv, "bytes_per_cycle_per_core");
}

/* Of the shapes the one in the middle: as many are faster as are slower. */
static const json_t *middle(const json_t *const *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t slower = 0, equal = 0;
        for (size_t j = 0; j < count; j++) {
            slower += rate(rows[j]) < rate(rows[i]);
            equal += rate(rows[j]) == rate(rows[i]);
        }
        if (slower <= count / 2 && count / 2 < slower + equal)
            return rows[i];
    }
    return NULL;
}

/* @return false if nothing of the family was measured cold on this team */
static bool attain(const struct view *view, const json_t *family, unsigned team, struct attained *attained)
{
    struct cell_shape shapes[SHAPES];
    const json_t *rows[SHAPES];
    size_t shape_count = cells_shapes(view, shapes, SHAPES), count = 0;
    *attained = (struct attained){0};
    for (size_t i = 0; i < shape_count; i++) {
        struct cell_query query = {.family = family, .m = shapes[i].m, .k = shapes[i].k, .threads = team, .cold = true};
        const json_t *row = best_gemv(view, &query).row;
        if (!row || !(rate(row) > 0))
            continue;
        rows[count++] = row;
        if (shapes[i].m == CELLS_REFERENCE_M && shapes[i].k == CELLS_REFERENCE_K)
            attained->reference = row;
        if (!attained->slowest || rate(row) < rate(attained->slowest))
            attained->slowest = row;
        if (!attained->fastest || rate(row) > rate(attained->fastest))
            attained->fastest = row;
    }
    if (!attained->reference)
        attained->reference = middle(rows, count);
    return count > 0;
}

/* beta as measured alongside the cell: the bandwidth of shared memory varies. */
static double beta_of_cell(const json_t *gemv, double beta_of_run)
{
    double beta = rate(gemv) * view_median(gemv, "roof_bytes_per_s") / view_median(gemv, "bytes_per_s");
    return beta > 0 ? beta : beta_of_run;
}

/* What the model says of the cell, with the sequence of its own kernel where the record names it. */
static double modelled(const struct view *view, const json_t *gemv, const json_t *family, double beta)
{
    const json_t *gamma = cells_gamma(view, gemv);
    return line_at(gamma ? gamma : family, beta);
}

/* The families' measured points of the largest team, whose beta is the one that the model means. @return how many */
static size_t write_clouds(const struct view *view, const struct knee *knee, FILE *settings, FILE *data)
{
    struct series clouds = {.prefix = "cloud"};
    unsigned team = knee->teams[knee->team_count - 1];
    double beta = knee->betas[knee->team_count - 1], highest = beta;
    bool all_reference = true;
    for (size_t i = 0; i < knee->family_count; i++) {
        const json_t *family = knee->sequences[i];
        struct attained attained;
        char label[64];
        if (!attain(view, family, team, &attained))
            continue;
        const json_t *dot = attained.reference, *slowest = attained.slowest;
        all_reference =
            all_reference && view_number(dot, "m") == CELLS_REFERENCE_M && view_number(dot, "k") == CELLS_REFERENCE_K;
        double beta_then = beta_of_cell(dot, beta);
        figure_family_label(family, label, sizeof label);
        series_add(&clouds, label, figure_colour(view_format_bits(family)), 1, view_is_paper(family) ? 6 : 7);
        fputs("# place, beta of the cell, measured, slowest, fastest, modelled B/cycle of a cold GEMV, slowest shape, "
              "kernel\n",
              data);
        fprintf(data, "%zu %.6g %.6g %.6g %.6g %.6g \"%.0f×%.0f\" ", clouds.count, beta_then, rate(dot), rate(slowest),
                rate(attained.fastest), modelled(view, dot, family, beta_then), view_number(slowest, "m"),
                view_number(slowest, "k"));
        gnuplot_write_field(data, view_text(dot, "name"));
        fputs("\n\n\n", data);
        highest = fmax(highest, fmax(rate(attained.fastest), beta_then));
    }
    series_write(&clouds, settings);
    fprintf(settings, "zoom_beta = %.6g\nzoom_max = %.6g\ncloud_team = '%u thread%s'\ncloud_shape = '%s'\n", beta,
            1.12 * highest, team, team == 1 ? "" : "s", all_reference ? "4096×4096" : "the median shape");
    return clouds.count;
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct knee knee = {0};
    knee.team_count = beta_bars(view, &knee);
    knee.sequence_count = knee.family_count = reported_best_gammas(view, knee.sequences, LINES);
    if (!knee.team_count || !knee.sequence_count)
        return -ENODATA;
    add_published(view, &knee);
    choose_range(&knee);
    size_t notes = write_beyond(&knee, settings);
    write_bars(&knee, settings, data);
    write_lines(&knee, settings, data);
    size_t rows = write_clouds(view, &knee, settings, data), below = rows ? 96 + ROW_HEIGHT * rows : 0;
    fprintf(settings, "plot_height = %d\nrow_height = %d\nwidth = 760\nheight = %zu\nnarrow_height = %zu\n",
            PLOT_HEIGHT, ROW_HEIGHT, 166 + PLOT_HEIGHT + below + (notes ? 34 + 18 * notes : 0),
            98 + PLOT_HEIGHT + below);
    fprintf(settings, "x_max = %.6g\ny_max = %.6g\n", knee.x_max, knee.y_max);
    return 0;
}

const struct figure figure_knee = {
    .name = "knee",
    .title = "Where is the knee? Effective bandwidth of each up-convert sequence",
    .caption =
        "A line rises while memory is the limit (e = β) and bends to the right at its knee, B/γ, where up-converting "
        "and multiplying take over; the label gives the knee. Knees beyond the plot are listed below it where there is room. For each "
        "width the best sequence of the papers and the best of ours are drawn, on any ISA; thin dashes are a paper's "
        "as published. Dotted bars are what this machine's memory gives one core: a sequence whose knee lies to the "
        "right of a bar can ride the memory roof of that team. The second "
        "panel has cold GEMVs of the largest team, fastest kernel, from the slowest to the fastest shape, against the "
        "model at the β measured alongside, which varies where memory is shared. If they are few, they are dots in the "
        "first panel, too. Cells above the roof are left out.",
    .units = "bytes per core cycle and core",
    .lacking = "β and γ with numbers",
    .measured_by = "kneepoint characterize",
    .rank = 10,
    .section = FIGURE_SEQUENCES,
    .needs = NEEDS(VIEW_BETA) | NEEDS(VIEW_GAMMA),
    .write = write,
};
