/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What memory and each cache give: read bandwidth to one core and to all, and the latency of a load. A row a level.
 */
#include <math.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/run/remedy.h"

struct level {
    double alone, team; /* bytes/s; NaN: not measured */
    double latency_s;   /* NaN: not measured */
};

static bool is_known(const struct level *level)
{
    return level->alone > 0 || level->team > 0 || level->latency_s > 0;
}

static void write_heading(unsigned threads, FILE *html)
{
    fprintf(html, "<th scope=\"col\" class=\"n\">%u core%s, GB/s</th>", threads, threads == 1 ? "" : "s");
}

/* Three digits, and no power of ten for what all cores read from L1. */
static void write_rate(double bytes_per_s, FILE *html)
{
    html_number(html, bytes_per_s < 1e11 ? "%.3g" : "%.0f", bytes_per_s / 1e9);
}

static void write_table(const struct level of[VIEW_LEVELS], unsigned widest, FILE *html)
{
    fprintf(html,
            "<table class=\"levels n2 n3%s\"><caption>What memory and caches give</caption><thead><tr>"
            "<th scope=\"col\">reading from</th>",
            widest > 1 ? " n4" : "");
    write_heading(1, html);
    if (widest > 1)
        write_heading(widest, html);
    fputs("<th scope=\"col\" class=\"n\">latency, ns</th></tr></thead><tbody>\n", html);
    for (size_t i = 0; i < VIEW_LEVELS; i++) {
        if (!is_known(&of[i]))
            continue;
        fprintf(html, "<tr><th scope=\"row\">%s</th>", view_levels[i]);
        write_rate(of[i].alone, html);
        if (widest > 1)
            write_rate(of[i].team, html);
        html_number(html, "%.3g", of[i].latency_s * 1e9);
        fputs("</tr>\n", html);
    }
    fputs("</tbody></table>\n", html);
}

/* ---- tiles ---- */

/* Core cycles of a tile of this unit, by the faster of both loads; one core. */
static double tile_cycles(const struct view *view, const char *isa, const char *level, bool multiplied)
{
    double least = NAN;
    for (size_t i = 0; i < view->of[VIEW_TILES].count; i++) {
        const json_t *row = view->of[VIEW_TILES].rows[i];
        if (view_number(row, "threads") == 1 && strcmp(view_text(row, "isa"), isa) == 0 &&
            strcmp(view_text(row, "level"), level) == 0 && view_flag(row, "multiplied") == multiplied)
            least = fmin(least, view_median(row, "cycles_per_tile"));
    }
    return least;
}

/* The matrix unit that the table is of: of integers if the run has it. */
static const char *shown_tiles(const struct view *view)
{
    const char *shown = NULL;
    for (size_t i = 0; i < view->of[VIEW_TILES].count; i++) {
        const json_t *row = view->of[VIEW_TILES].rows[i];
        if (view_median(row, "cycles_per_tile") > 0 && (!shown || strcmp(view_text(row, "isa"), "amx_int8") == 0))
            shown = view_text(row, "isa");
    }
    return shown;
}

static void write_tiles(const struct view *view, FILE *html)
{
    const char *isa = shown_tiles(view);
    if (!isa)
        return;
    fprintf(html,
            "<table class=\"levels n2 n3\"><caption>What a tile of %s takes, core cycles</caption><thead><tr>"
            "<th scope=\"col\">a tile from</th><th scope=\"col\" class=\"n\">load, cycles</th>"
            "<th scope=\"col\" class=\"n\">load, multiply</th></tr></thead><tbody>\n",
            isa);
    for (size_t i = 0; i < VIEW_LEVELS; i++) {
        double load = tile_cycles(view, isa, view_levels[i], false),
               multiply = tile_cycles(view, isa, view_levels[i], true);
        if (isnan(load) && isnan(multiply))
            continue;
        fprintf(html, "<tr><th scope=\"row\">%s</th>", view_levels[i]);
        html_number(html, "%.1f", load);
        html_number(html, "%.1f", multiply);
        fputs("</tr>\n", html);
    }
    fputs("</tbody></table>\n", html);
}

/* What the machine was not asked, with the command that asks it. */
struct missing {
    bool is;
    const char *what, *command;
    enum view_type type;
};

static void write_missing(const struct view *view, const struct missing *missing, size_t count, FILE *html)
{
    char remedy[512];
    bool begun = false;
    for (size_t i = 0; i < count; i++) {
        if (!missing[i].is)
            continue;
        fprintf(html, "%s%s (<code>", begun ? ", " : "<p class=\"about\">Not measured: ", missing[i].what);
        markup_text(html, remedy_of(view, missing[i].command, remedy, sizeof remedy));
        fputs("</code>", html);
        if (remedy_budget(view, missing[i].type, remedy, sizeof remedy))
            fprintf(html, ", or in a new run <code>%s</code>", remedy);
        fputs(")", html);
        begun = true;
    }
    fputs(begun ? ".</p>\n" : "", html);
}

void page_write_levels(const struct view *view, FILE *html)
{
    unsigned teams[64];
    size_t count = view_teams(view, teams, 64);
    unsigned widest = count ? teams[count - 1] : 1;
    struct level of[VIEW_LEVELS];
    bool any = false, caches = false, latency = false;
    for (size_t i = 0; i < VIEW_LEVELS; i++) {
        of[i] = (struct level){view_median(view_roof(view, view_levels[i], 1), "bytes_per_s"),
                               view_median(view_roof(view, view_levels[i], widest), "bytes_per_s"),
                               view_median(view_idle_latency(view, view_levels[i]), "latency_s")};
        any = any || is_known(&of[i]);
        caches = caches || (i != VIEW_MEMORY && (of[i].alone > 0 || of[i].team > 0));
        latency = latency || of[i].latency_s > 0;
    }
    if (any)
        write_table(of, widest, html);
    write_tiles(view, html);
    const struct missing missing[] = {
        {!(of[VIEW_MEMORY].alone > 0 || of[VIEW_MEMORY].team > 0), "bandwidth of memory", "kneepoint beta", VIEW_BETA},
        {!caches, "bandwidth of the caches", "kneepoint beta --level=all", VIEW_BETA},
        {!latency, "latency", "kneepoint beta --latency", VIEW_LATENCY},
    };
    write_missing(view, missing, sizeof missing / sizeof *missing, html);
}
