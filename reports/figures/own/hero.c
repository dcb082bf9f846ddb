/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "reports/draw/figure.h"
#include "reports/draw/gnuplot.h"
#include "reports/draw/settings.h"
#include "reports/select/kernels/limit.h"
#include "reports/select/machines/headlines.h"
#include "reports/select/machines/recommended.h"

/* The knee for a reader who sees one for the first time: a line a width, up to the knee of its fastest kernel, and across them the bar of
 * what memory gives a core. */

/** Pixels of a row, and of all around them: headings above, axis and key below. */
enum { ROW_HEIGHT = 46, AROUND = 200, NARROW_AROUND = 134 };

/** The axis ends this many times after the last knee: its number stands there. */
#define ROOM_FOR_NUMBER 3.5

struct hero {
    struct recommended rows[RECOMMENDED_MAX];
    size_t count;
    double betas[2]; /* widest team, one core; NaN: not known */
    size_t cores;    /* of the widest team */
    double least, most;
};

static void reach(struct hero *hero, double place)
{
    if (!(place > 0))
        return;
    hero->least = fmin(hero->least, place);
    hero->most = fmax(hero->most, place);
}

/* The widths that users ask for; others are in the table only if they were measured. */
static void choose_rows(const struct view *view, struct hero *hero)
{
    struct recommended all[RECOMMENDED_MAX];
    size_t count = recommended_of(view, all);
    for (size_t i = 0; i < count; i++) {
        const struct recommended *row = &all[i];
        if (!recommended_is_shown(row))
            continue;
        hero->rows[hero->count++] = *row;
        reach(hero, row->attained.value);
        reach(hero, row->knee.value);
        reach(hero, row->published_knee.value);
    }
}

static double end_or(double end, double value)
{
    return isfinite(end) ? end : value;
}

/* gnuplot takes no NaN for a place in some styles: what is not known lies left of the axis. */
static double place_of(double value)
{
    return value > 0 ? value : 0;
}

/* What limits it, and where the line ends at no knee, that none is known. */
static void write_limit(const struct recommended *row, char *text, size_t size)
{
    const char *limit = row_limit_words(row->cell);
    bool known = row->knee.value > 0;
    snprintf(text, size, "%s%s%s%s", known ? "" : "knee unknown", known || !*limit ? "" : ", ", *limit ? "limit: " : "",
             limit);
}

static void write_rows(const struct hero *hero, FILE *data)
{
    fputs(
        "# place, knee, lowest, highest, attained, lowest, highest, share, knee of others' kernels, limit, width, kernel\n",
        data);
    for (size_t i = 0; i < hero->count; i++) {
        const struct recommended *row = &hero->rows[i];
        const struct bounded *knee = &row->knee, *attained = &row->attained;
        char title[16], limit[64];
        snprintf(title, sizeof title, "%s bit", row->width->name);
        write_limit(row, limit, sizeof limit);
        fprintf(data, "%zu %.6g %.6g %.6g %.6g %.6g %.6g %.6g %.6g ", i + 1, place_of(knee->value),
                place_of(end_or(knee->low, knee->value)), place_of(end_or(knee->high, knee->value)), attained->value,
                end_or(attained->low, attained->value), end_or(attained->high, attained->value),
                isfinite(row->share.value) ? row->share.value : -1, place_of(row->published_knee.value));
        gnuplot_write_field(data, limit);
        fputc(' ', data);
        gnuplot_write_field(data, title);
        gnuplot_write_row(data, view_text(row->cell, "name"), " ");
    }
}

static void write_settings(const struct hero *hero, FILE *settings)
{
    fprintf(settings, "width = 560\nheight = %zu\nnarrow_height = %zu\nrows = %zu\nx_min = %.6g\nx_max = %.6g\n",
            AROUND + ROW_HEIGHT * hero->count, NARROW_AROUND + ROW_HEIGHT * hero->count, hero->count,
            exp2(floor(log2(hero->least / 1.5))), hero->most * ROOM_FOR_NUMBER);
    fprintf(settings, "beta_team = %.6g\nbeta_alone = %.6g\nbeta_cores = %zu\n", place_of(hero->betas[0]),
            place_of(hero->betas[1]), hero->cores);
    set_colours(settings, "row_colour", hero->count, i, figure_colour(view_format_bits(hero->rows[i].cell)));
}

static int write(const struct view *view, FILE *settings, FILE *data)
{
    struct hero hero = {.least = INFINITY};
    struct headline headlines[HEADLINES];
    headlines_of(view, headlines);
    hero.betas[0] = headlines[HEADLINE_BETA_TEAM].number.value;
    hero.betas[1] = headlines[HEADLINE_BETA_ALONE].number.value;
    hero.cores = view_widest_team(view);
    reach(&hero, hero.betas[0]);
    reach(&hero, hero.betas[1]);
    choose_rows(view, &hero);
    if (!hero.count || !(hero.betas[0] > 0 || hero.betas[1] > 0))
        return -ENODATA;
    write_settings(&hero, settings);
    write_rows(&hero, data);
    return 0;
}

const struct figure figure_hero = {
    .name = "hero",
    .title = "Where is the knee?",
    .caption =
        "One line per width of weights, with its fastest kernel here. A line ends at the knee (diamond): the bytes "
        "per cycle that one core could take if memory were no limit. The bars are what memory gives a core, β. A line "
        "that crosses a bar waits for memory there, and a faster kernel would gain nothing; one that ends before the "
        "bar is limited by its instructions. The dot is what the kernel attains with all of its threads, weights from "
        "memory, as a share of the read roof measured beside it. Hollow diamonds are the best published sequences of "
        "the same width.",
    .units = "bytes per core cycle and core",
    .lacking = "β and cold GEMVs with numbers",
    .measured_by = "kneepoint characterize",
    .rank = 5,
    .section = FIGURE_FIRST,
    .needs = NEEDS(VIEW_BETA) | NEEDS(VIEW_GEMV),
    .write = write,
};
