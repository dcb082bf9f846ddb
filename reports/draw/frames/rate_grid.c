/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/frames/rate_grid.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "results/statistics/stats.h"

/** Rows of bars: the host's teams, then the paper. */
enum { TEAMS = 2 };

struct drawing {
    const struct rate_grid *grid;
    const struct view *view;
    const char *paper; /* the figure's; NULL: it states none of these */
    struct papers papers;
    unsigned team[TEAMS]; /* all threads, then one where that is another team */
    size_t teams;
    FILE *data;
    double least, most; /* of all bars */
    double ratio_most;
    bool shown[RATE_SIDES]; /* it has a bar */
    bool passes;            /* there is one */
    bool few;               /* a bar is missing for want of samples */
    size_t prompt;          /* tokens of the longest prompt that is drawn */
};

static double place_of(const struct rate_grid *grid, size_t group, size_t side)
{
    return (double)group + 0.1 + 0.8 * ((double)side + 0.5) / (double)grid->side_count;
}

/* ---- numbers ---- */

/** Of all sides the same: as long as was measured of the one that ratios are of, else of another; 0: of none. */
static size_t tokens_of(const struct drawing *drawing, const struct rate_group *group, unsigned team)
{
    const struct rate_grid *grid = drawing->grid;
    size_t tokens = group->tokens;
    for (size_t i = 0; !tokens && i < 2 * grid->side_count; i++) {
        const struct rate_side *side = &grid->sides[(grid->over + i) % grid->side_count];
        tokens = batch_longest_prompt(drawing->view, group->model, &side->kernels, RATE_PROMPT_LEAST, team,
                                      i >= grid->side_count);
    }
    return tokens;
}

static struct batch_rate rate_of(const struct drawing *drawing, const struct rate_group *group, size_t side,
                                 unsigned team)
{
    size_t tokens = tokens_of(drawing, group, team);
    if (!tokens)
        return (struct batch_rate){NAN, {NAN, NAN}, NAN, "", false};
    return batch_rate(drawing->view, group->model, &drawing->grid->sides[side].kernels, tokens, !group->tokens, team);
}

/** Of one token, of one of each of several users at once, or of a prompt. */
static const json_t *pass_of(const struct drawing *drawing, const struct rate_group *group, size_t side, unsigned team)
{
    return batch_pass(drawing->view, group->model, &drawing->grid->sides[side].kernels, group->tokens, team);
}

static double stated(const struct drawing *drawing, const struct rate_group *group, size_t side)
{
    const struct rate_side *of = &drawing->grid->sides[side];
    char column[64];
    if (!drawing->paper || !of->values || !group->values)
        return NAN;
    snprintf(column, sizeof column, "%s_%s_%s", group->values, of->values, group->tokens ? "decode" : "prefill");
    return papers_column_value(&drawing->papers, drawing->paper, column, group->row);
}

/* ---- bars ---- */

static void take(struct drawing *drawing, size_t side, double value)
{
    if (!(value > 0))
        return;
    drawing->least = fmin(drawing->least, value);
    drawing->most = fmax(drawing->most, value);
    drawing->shown[side] = true;
}

static void write_bar(struct drawing *drawing, size_t group, size_t side, double rate, const json_t *pass,
                      const char *detail)
{
    double passed = pass ? view_median(pass, "tokens_per_s") : (double)NAN;
    take(drawing, side, rate);
    take(drawing, side, passed);
    drawing->passes = drawing->passes || pass;
    gnuplot_write_row(drawing->data, detail, "%.4f %.5g %.5g \"%s\" ", place_of(drawing->grid, group, side), rate,
                      passed, drawing->grid->group_title[group]);
}

static void write_host_block(struct drawing *drawing, size_t column, size_t side, unsigned team)
{
    const struct rate_grid *grid = drawing->grid;
    fprintf(drawing->data, "# %s, %u threads, %s: place, tokens/s allowed, tokens/s of a pass, group, detail\n",
            grid->column_title[column], team, grid->sides[side].title);
    for (size_t g = 0; g < grid->groups; g++) {
        const struct rate_group *group = &grid->group[column][g];
        const size_t tokens = tokens_of(drawing, group, team);
        const struct batch_rate rate = rate_of(drawing, group, side, team);
        char detail[128];
        snprintf(detail, sizeof detail, "%zu at once, %s", tokens, rate.kernel);
        if (!group->tokens && tokens > drawing->prompt)
            drawing->prompt = tokens;
        drawing->few |= rate.few;
        write_bar(drawing, g, side, rate.tokens_per_s, pass_of(drawing, group, side, team),
                  rate.few ? RATE_FEW : detail);
    }
    fputs("\n\n", drawing->data);
}

/* ---- what was not measured ---- */

static bool group_is_empty(const struct drawing *drawing, const struct rate_group *group, unsigned team)
{
    for (size_t s = 0; s < drawing->grid->side_count; s++) {
        struct batch_rate rate = rate_of(drawing, group, s, team);
        if (rate.tokens_per_s > 0 || rate.few || pass_of(drawing, group, s, team))
            return false;
    }
    return true;
}

/** Without the columns of which nothing was measured here, and the groups of which the paper states nothing either. */
static struct rate_grid what_is_there(const struct drawing *drawing)
{
    const struct rate_grid *all = drawing->grid;
    struct rate_grid kept = *all;
    bool column[RATE_COLUMNS] = {false}, group[RATE_GROUPS] = {false};
    for (size_t c = 0; c < all->columns; c++) {
        for (size_t i = 0; i < all->groups * drawing->teams; i++) {
            const size_t g = i / drawing->teams;
            const bool here = !group_is_empty(drawing, &all->group[c][g], drawing->team[i % drawing->teams]);
            column[c] |= here;
            group[g] |= here || all->group[c][g].values;
        }
    }
    kept.columns = kept.groups = 0;
    for (size_t g = 0; g < all->groups; g++) {
        if (group[g])
            kept.group_title[kept.groups++] = all->group_title[g];
    }
    for (size_t c = 0; c < all->columns; c++) {
        if (!column[c])
            continue;
        for (size_t g = 0, at = 0; g < all->groups; g++) {
            if (group[g])
                kept.group[kept.columns][at++] = all->group[c][g];
        }
        kept.column_title[kept.columns++] = all->column_title[c];
    }
    return kept;
}

static void write_paper_block(struct drawing *drawing, size_t column, size_t side)
{
    const struct rate_grid *grid = drawing->grid;
    fprintf(drawing->data, "# %s, as the paper states: place, tokens/s, -, group, detail\n",
            grid->column_title[column]);
    for (size_t g = 0; g < grid->groups; g++)
        write_bar(drawing, g, side, stated(drawing, &grid->group[column][g], side), NULL, grid->paper_title);
    fputs("\n\n", drawing->data);
}

/* ---- ratios ---- */

static void write_ratio_row(struct drawing *drawing, size_t group, struct bounded ratio)
{
    if (ratio.value > 0)
        drawing->ratio_most = fmax(drawing->ratio_most, ratio.high > 0 ? ratio.high : ratio.value);
    fprintf(drawing->data, "%.4f %.4g %.4g %.4g \"%s\"\n", (double)group + 0.5, ratio.value, ratio.low, ratio.high,
            drawing->grid->group_title[group]);
}

static struct bounded ratio_here(const struct drawing *drawing, const struct rate_group *group, size_t under,
                                 unsigned team)
{
    struct batch_rate a = rate_of(drawing, group, drawing->grid->over, team), b = rate_of(drawing, group, under, team);
    struct bounded over = {a.tokens_per_s, a.ci95[0], a.ci95[1]}, below = {b.tokens_per_s, b.ci95[0], b.ci95[1]},
                   ratio = ratio_of(&over, &below);
    if (!isfinite(ratio.value)) /* a time without an interval */
        ratio = (struct bounded){over.value / below.value, NAN, NAN};
    return ratio;
}

static void write_ratio_blocks(struct drawing *drawing, size_t column)
{
    const struct rate_grid *grid = drawing->grid;
    const size_t unders[] = {grid->under, grid->also};
    for (size_t u = 0; u < 2; u++) {
        for (size_t t = 0; t < TEAMS; t++) {
            fprintf(drawing->data, "# %s: place, ratio here, low, high, group\n", grid->column_title[column]);
            for (size_t g = 0; g < grid->groups; g++) {
                bool has = t < drawing->teams && unders[u] != grid->over;
                struct bounded none = {NAN, NAN, NAN};
                write_ratio_row(drawing, g,
                                has ? ratio_here(drawing, &grid->group[column][g], unders[u], drawing->team[t]) : none);
            }
            fputs("\n\n", drawing->data);
        }
    }
    fprintf(drawing->data, "# %s: place, ratio that the paper states\n", grid->column_title[column]);
    for (size_t g = 0; g < grid->groups; g++) {
        const struct rate_group *group = &grid->group[column][g];
        double ratio = stated(drawing, group, grid->over) / stated(drawing, group, grid->under);
        write_ratio_row(drawing, g, (struct bounded){ratio, NAN, NAN});
    }
    fputs("\n\n", drawing->data);
}

/* ---- settings ---- */

static void write_titles(const struct drawing *drawing, FILE *settings)
{
    const struct rate_grid *grid = drawing->grid;
    const size_t rows = drawing->teams + (drawing->paper != NULL);
    struct settings_array titles = settings_texts(settings, "row_title", rows);
    for (size_t t = 0; t < drawing->teams; t++)
        array_text(&titles, "this host, %u thread%s", drawing->team[t], plural(drawing->team[t]));
    if (drawing->paper)
        array_text(&titles, "%s", grid->paper_title);
    set_texts(settings, "column_title", grid->columns, c, "%s", grid->column_title[c]);
    set_texts(settings, "group_title", grid->groups, g, "%s", grid->group_title[g]);
    set_texts(settings, "side_title", grid->side_count, s, "%s", drawing->shown[s] ? grid->sides[s].title : "");
    set_colours(settings, "side_colour", grid->side_count, s, grid->sides[s].colour);
    fputs("over_title = ", settings);
    gnuplot_write_string(settings, grid->sides[grid->over].title);
    fputc('\n', settings);
    struct settings_array ratios = settings_texts(settings, "ratio_title", 2);
    const size_t unders[] = {grid->under, grid->also};
    for (size_t u = 0; u < 2; u++) {
        const bool shown = drawing->shown[unders[u]] && unders[u] != grid->over;
        array_text(&ratios, "%s%s", shown ? "ratio to " : "", shown ? grid->sides[unders[u]].title : "");
    }
}

static void write_settings(const struct drawing *drawing, FILE *settings)
{
    const struct rate_grid *grid = drawing->grid;
    const size_t rows = drawing->teams + (drawing->paper != NULL) + 1;
    fprintf(settings,
            "width = 1080\nheight = %zu\nnarrow_height = %zu\ndata = '%s.dat'\ncolumns = %zu\nbar_rows = %zu\n"
            "teams = %zu\nwidest = %u\ngroups = %zu\nsides = %zu\npasses = %d\nfew = %d\nprompt = %zu\n",
            196 + 190 * rows, 154 + 176 * rows * grid->columns, grid->name, grid->columns, rows - 1, drawing->teams,
            drawing->team[0], grid->groups, grid->side_count, drawing->passes, drawing->few, drawing->prompt);
    fprintf(settings, "rate_min = %.5g\nrate_max = %.5g\nratio_max = %.4g\n", 0.5 * drawing->least, 2.0 * drawing->most,
            1.15 * drawing->ratio_most);
    fprintf(settings, "few_text = '%s'\n", RATE_FEW);
    write_titles(drawing, settings);
}

/* ---- all of it ---- */

static void find_teams(struct drawing *drawing)
{
    unsigned widest = 0;
    for (size_t s = 0; s < drawing->grid->side_count; s++) {
        unsigned team = batch_widest_team(drawing->view, &drawing->grid->sides[s].kernels);
        widest = team > widest ? team : widest;
    }
    drawing->team[0] = widest;
    drawing->team[1] = 1;
    drawing->teams = widest > 1 ? 2 : widest;
}

static int write(const struct figure *figure, const struct view *view, FILE *settings, FILE *data)
{
    const struct rate_grid *grid = figure->of;
    struct drawing drawing = {.grid = grid, .paper = figure->paper, .view = view, .data = data, .least = INFINITY};
    char why[256];
    find_teams(&drawing);
    const struct rate_grid kept = what_is_there(&drawing);
    grid = drawing.grid = &kept;
    for (size_t t = 0; t < drawing.teams; t++) {
        for (size_t c = 0; c < grid->columns; c++) {
            for (size_t s = 0; s < grid->side_count; s++)
                write_host_block(&drawing, c, s, drawing.team[t]);
        }
    }
    if (!(drawing.most > 0))
        return -ENODATA;
    int error = figure->paper ? papers_open(figure->paper, &drawing.papers, why, sizeof why) : 0;
    for (size_t c = 0; !error && figure->paper && c < grid->columns; c++) {
        for (size_t s = 0; s < grid->side_count; s++)
            write_paper_block(&drawing, c, s);
    }
    for (size_t c = 0; !error && c < grid->columns; c++)
        write_ratio_blocks(&drawing, c);
    if (!error)
        write_settings(&drawing, settings);
    if (figure->paper)
        papers_free(&drawing.papers);
    return error;
}

const struct frame rate_frame = {.name = "rate_grid", .write = write};
