/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/gnuplot.h"
#include "reports/series.h"
#include "results/stats.h"
#include "roofline/ebw.h"

enum { LINES = 32, TEAMS = 64, CELLS = 4096 };

/* The paper's and our best sequence of each width of low-bit weights, and int8 as the reference. */
struct knee {
    const json_t *sequences[LINES];
    size_t sequence_count;
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

/* The axis shows every knee of low-bit weights and this machine's beta; the knee of int8 lies far to the right of both.
 */
static void choose_range(struct knee *knee)
{
    double reach = 0, height = 0;
    for (size_t i = 0; i < knee->team_count; i++)
        reach = fmax(reach, 1.3 * knee->betas[i]);
    for (size_t i = 0; i < knee->sequence_count; i++) {
        double bytes = 4 * view_bits(knee->sequences[i]);
        if (bytes < 32)
            reach = fmax(reach, 1.12 * roofline_knee(bytes, view_median(knee->sequences[i], "gamma")));
    }
    for (size_t i = 0; i < knee->sequence_count; i++)
        height = fmax(height, line_at(knee->sequences[i], reach));
    knee->x_max = reach;
    knee->y_max = 1.05 * height;
}

static void write_bars(const struct knee *knee, FILE *settings, FILE *data)
{
    fputs("# beta (B/cycle), team\n", data);
    for (size_t i = 0; i < knee->team_count; i++)
        fprintf(data, "%.6g \"%u threads\"\n", knee->betas[i], knee->teams[i]);
    fputs("\n\n", data);

    fprintf(settings, "bars = %zu\narray bar_beta[%zu] = [", knee->team_count, knee->team_count);
    for (size_t i = 0; i < knee->team_count; i++)
        fprintf(settings, "%s%.6g", i ? ", " : "", knee->betas[i]);
    double rightmost = 0;
    for (size_t i = 0; i < knee->team_count; i++)
        rightmost = fmax(rightmost, knee->betas[i]);
    fprintf(settings, "]\nbar_label_x = %.6g\n", rightmost);
    fputs("bar_label = 'β here: ", settings);
    for (size_t i = 0; i < knee->team_count; i++) {
        if (i && i + 1 < knee->team_count && knee->team_count > 3) /* a label has room for three */
            continue;
        fprintf(settings, "%s%.2f (%u thread%s)", i ? ", " : "", knee->betas[i], knee->teams[i],
                knee->teams[i] == 1 ? "" : "s");
    }
    fputs("'\n", settings);
}

static void write_lines(const struct knee *knee, FILE *settings, FILE *data)
{
    struct series lines = {.prefix = "line"};
    for (size_t i = 0; i < knee->sequence_count; i++) {
        const json_t *row = knee->sequences[i];
        double bend = roofline_knee(4 * view_bits(row), view_median(row, "gamma"));
        fprintf(data, "# beta, e_bw (B/cycle) of ");
        fprintf(data, "%s\n0 0\n", view_text(row, "name"));
        if (bend < knee->x_max)
            fprintf(data, "%.6g %.6g\n", bend, bend);
        fprintf(data, "%.6g %.6g\n\n\n", knee->x_max, line_at(row, knee->x_max));

        char label[64], title[160];
        figure_family_label(row, label, sizeof label);
        snprintf(title, sizeof title, "%s: knee at %.3g", label, bend);
        series_add(&lines, title, figure_colour(view_bits(row)), view_is_paper(row) ? 2 : 1, 0);
    }
    series_write(&lines, settings);
}

/* Median, lowest and highest of the cold cells of a kernel family on a team. @return false if there is none */
static bool cloud(const struct view *view, const json_t *family, unsigned team, struct summary *summary)
{
    double values[CELLS];
    size_t count = 0;
    for (size_t i = 0; i < view->of[VIEW_GEMV].count && count < CELLS; i++) {
        const json_t *row = view->of[VIEW_GEMV].rows[i];
        double value = view_median(row, "bytes_per_cycle_per_core");
        if (view_is_cold(row) && view_same_family(row, family) && view_number(row, "threads") == team && value > 0)
            values[count++] = value;
    }
    return count && stats_summarize(values, count, summary) == 0;
}

/* The families' measured points on the bar of the largest team, which is the beta that the model means. */
static void write_clouds(const struct view *view, const struct knee *knee, FILE *settings, FILE *data)
{
    struct series clouds = {.prefix = "cloud"};
    unsigned team = knee->teams[knee->team_count - 1];
    double beta = knee->betas[knee->team_count - 1], highest = beta;
    for (size_t i = 0; i < knee->sequence_count; i++) {
        const json_t *family = knee->sequences[i];
        struct summary summary;
        char label[64];
        if (!cloud(view, family, team, &summary))
            continue;
        figure_family_label(family, label, sizeof label);
        series_add(&clouds, label, figure_colour(view_bits(family)), 1, view_is_paper(family) ? 6 : 7);
        fputs("# place, beta, median, lowest, highest, modelled B/cycle of cold GEMVs\n", data);
        fprintf(data, "%zu %.6g %.6g %.6g %.6g %.6g\n\n\n", clouds.count, beta, summary.median, summary.min,
                summary.max, line_at(family, beta));
        highest = fmax(highest, summary.max);
    }
    series_write(&clouds, settings);
    fprintf(settings, "zoom_beta = %.6g\nzoom_max = %.6g\ncloud_team = '%u thread%s'\n", beta, 1.12 * highest, team,
            team == 1 ? "" : "s");
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct knee knee = {0};
    knee.team_count = beta_bars(view, &knee);
    knee.sequence_count = view_best_gammas(view, knee.sequences, LINES);
    if (!knee.team_count || !knee.sequence_count)
        return -ENODATA;
    choose_range(&knee);
    fprintf(settings, "width = 1080\nheight = 620\nx_max = %.6g\ny_max = %.6g\n", knee.x_max, knee.y_max);
    write_bars(&knee, settings, data);
    write_lines(&knee, settings, data);
    write_clouds(view, &knee, settings, data);
    return 0;
}

static const enum view_type needs[] = {VIEW_BETA, VIEW_GAMMA};

const struct figure figure_knee = {
    .name = "knee",
    .title = "Where is the knee? Effective bandwidth of each up-convert sequence",
    .caption =
        "A line rises while memory is the limit (e = β) and bends to the right at its knee, B/γ, where up-converting "
        "and "
        "multiplying take over. Dotted bars are what this machine's memory gives one core: a sequence whose knee lies "
        "to the "
        "right of the bar can ride the memory roof. Marks are measured cold GEMVs of the largest team, median over all "
        "shapes; on the right they are spread out, with the slowest and the fastest shape, against the model.",
    .rank = 10,
    .needs = needs,
    .needs_count = 2,
    .write = write,
};
