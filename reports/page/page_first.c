/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first screen: what is this machine, where is its knee, what does that mean, can I believe it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/kernels/limit.h"
#include "reports/select/machines/headlines.h"
#include "reports/select/machines/recommended.h"
#include "reports/select/run/grades.h"
#include "results/files/need.h"
#include "results/statistics/stats.h"

static void write_machine(const struct view *view, FILE *html)
{
    double seconds = view_number(view->end, "seconds"), cores = view_number(view->machine, "cores"),
           cache = view_number(view->machine, "llc_bytes");
    fputs("<header>\n<p class=\"brand\">Kneepoint</p>\n<h1>", html);
    markup_text(html, view_machine_name(view));
    fputs("</h1>\n<p class=\"sub\">", html);
    markup_text(html, view_microarchitecture(view));
    const char *glue = *view_microarchitecture(view) ? " · " : "";
    if (cores > 0)
        fprintf(html, "%s%.0f core%s", glue, cores, cores == 1 ? "" : "s");
    if (cache > 0)
        fprintf(html, " · last-level cache %.0f MB", cache / 1e6);
    if (view_clock_hz(view) > 0)
        fprintf(html, " · %.2f GHz", view_clock_hz(view) / 1e9);
    fputs(" · run ", html);
    markup_text(html, view_run_name(view));
    if (seconds > 0)
        fprintf(html, ", %.0f s", seconds);
    if (*view_contradiction(view)) {
        fprintf(html, "</p>\n<p class=\"sub\">%s by its features; ",
                *view_microarchitecture(view) ? "Named" : "Not named");
        markup_text(html, view_contradiction(view));
    }
    fputs("</p>\n</header>\n", html);
}

/* A number with its interval, and the reason where there is none. */
static void write_value(const struct headline *headline, const char *of, FILE *html)
{
    const struct bounded *number = &headline->number;
    bool share = headline->unit[0] == 'o';
    double times = share ? 100 : 1;
    const char *sign = share ? "%" : "";
    if (!(number->value > 0)) {
        fputs("<dd class=\"unknown\">–<span>", html);
        html_prose(html, headline->why);
        fputs("</span></dd>\n", html);
        return;
    }
    fprintf(html, share ? "<dd><strong>%.0f%s</strong><span>" : "<dd><strong>%.3g%s</strong><span>",
            times * number->value, sign);
    if (isfinite(number->low) && isfinite(number->high))
        fprintf(html, share ? "[%.0f%s, %.0f%s] " : "[%.3g%s, %.3g%s] ", times * number->low, sign,
                times * number->high, sign);
    markup_text(html, headline->unit);
    fputs(*of ? "<br>" : "", html);
    markup_text(html, of);
    fputs("</span></dd>\n", html);
}

static void write_big(const struct headline headlines[HEADLINES], FILE *html)
{
    const char *kernel = headlines[HEADLINE_KNEE].of;
    fputs("<dl class=\"big\">\n<div class=\"two\"><dt>β: what memory gives one core</dt>\n", html);
    for (size_t i = HEADLINE_BETA_ALONE; i <= HEADLINE_BETA_TEAM; i++) {
        const char *comma = strchr(headlines[i].label, ',');
        write_value(&headlines[i], comma ? comma + 2 : "", html);
    }
    fputs("</div>\n<div><dt>Knee of the best 2-bit kernel</dt>\n", html);
    write_value(&headlines[HEADLINE_KNEE], kernel, html);
    fputs("</div>\n<div><dt>Share of the roof it attains</dt>\n", html);
    const char *threads = strstr(headlines[HEADLINE_SHARE].label, ", ");
    write_value(&headlines[HEADLINE_SHARE], threads ? threads + 2 : "", html);
    fputs("</div>\n</dl>\n", html);
}

/* What limits the widths that the picture shows. */
static void say_limits(const struct recommended *rows, size_t count, FILE *html)
{
    enum { MEMORY, INSTRUCTIONS, NEITHER, OTHERS, LIMITS };
    static const char *const limits[] = {"memory", "instructions", "neither"};
    size_t of[LIMITS] = {0}, known = 0;
    for (size_t i = 0; i < count; i++) {
        const char *limit = row_limit_words(rows[i].cell);
        size_t at = MEMORY;
        if (!recommended_is_shown(&rows[i]) || !*limit)
            continue;
        while (at < OTHERS && strcmp(limit, limits[at]) != 0)
            at++;
        of[at]++;
        known++;
    }
    if (!known) {
        fputs("<li>What limits kernels here is not known: no cold GEMV was measured.</li>\n", html);
        return;
    }
    if (of[MEMORY] == known && known > 1)
        fprintf(html,
                "<li>Memory limits the best kernels of all %zu widths shown: faster instructions would gain "
                "nothing.</li>\n",
                known);
    else
        fprintf(html, "<li>Memory limits the best kernel of %zu of the %zu width%s shown, instructions that of %zu",
                of[MEMORY], known, known == 1 ? "" : "s", of[INSTRUCTIONS]);
    if (of[MEMORY] == known && known > 1)
        return;
    if (of[NEITHER])
        fprintf(html, ", neither that of %zu: see what else holds them with <code>kneepoint terms</code>", of[NEITHER]);
    fputs(".</li>\n", html);
}

/* Which kernel may be faster than the one that is named; NULL: none. */
static void say_passed(const json_t *passed, FILE *html)
{
    if (!passed)
        return;
    fputs(". <code>", html);
    markup_text(html, view_text(passed, "name"));
    fputs("</code> may be faster, but too few of its samples were kept", html);
}

static void say_kernel(const struct recommended *row, FILE *html)
{
    if (!row->cell) {
        fputs("<li>No 2-bit kernel was measured.</li>\n", html);
        return;
    }
    fputs("<li>Run 2-bit weights with <code>", html);
    markup_text(html, view_text(row->cell, "name"));
    fputs("</code>", html);
    if (row->fill.state == FILL_BY)
        fprintf(html, ": %u thread%s fill%s memory", row->fill.threads, row->fill.threads == 1 ? "" : "s",
                row->fill.threads == 1 ? "s" : "");
    else if (row->fill.state == FILL_NOT)
        fprintf(html, ": %u threads do not fill memory with it", row->fill.threads);
    else if (row->fill.state == FILL_ONE_CORE)
        fprintf(html, " and all %u threads: one core's reach is the limit, so each thread adds its own bandwidth",
                row->fill.threads);
    say_passed(row->best.passed, html);
    fputs(".</li>\n", html);
}

static void say_tokens(const struct recommended *row, FILE *html)
{
    if (row->tokens_per_s.value > 0)
        fprintf(html, "<li>An 8B model of 2-bit weights cannot exceed %.3g tokens/s%s.</li>\n", row->tokens_per_s.value,
                row->tokens_measured < 0.5 ? ", mostly modelled" : "");
}

static void say_published(const struct recommended *row, FILE *html)
{
    double ratio = row->published_share.value / row->share.value;
    if (!(ratio > 0))
        return;
    if (strcmp(view_text(row->published, "name"), view_text(row->cell, "name")) == 0)
        return;
    fputs("<li>Of published 2-bit kernels ", html);
    if (*view_kind(row->cell))
        fprintf(html, "whose weights are %s, too, ", view_kind(row->cell));
    fputs("the best is <code>", html);
    markup_text(html, view_text(row->published, "name"));
    fprintf(html, "</code>: it gets %.0f%% of the roof, this one %.0f%%", 100 * row->published_share.value,
            100 * row->share.value);
    say_passed(row->best_published.passed == row->best.passed ? NULL : row->best_published.passed, html);
    fputs(".</li>\n", html);
}

static void write_sentences(const struct view *view, FILE *html)
{
    struct recommended rows[RECOMMENDED_MAX], two = recommended_of_bits(view, 2);
    size_t count = recommended_of(view, rows);
    fputs("<ul class=\"said\">\n", html);
    say_limits(rows, count, html);
    say_kernel(&two, html);
    say_tokens(&two, html);
    say_published(&two, html);
    fputs("</ul>\n", html);
}

/* Half the 95% interval of a typical cold GEMV, as a share of its time; NaN without any. */
static double noise_of(const struct view *view)
{
    size_t rows = view->of[VIEW_GEMV].count, count = 0;
    double *halves = need(rows + 1, sizeof *halves);
    for (size_t i = 0; halves && i < rows; i++) {
        struct bounded time_s = recommended_quantity(view->of[VIEW_GEMV].rows[i], "time_s");
        if (view_is_cold(view->of[VIEW_GEMV].rows[i]) && isfinite(time_s.high - time_s.low))
            halves[count++] = (time_s.high - time_s.low) / 2 / time_s.value;
    }
    double median = count ? stats_median(halves, count) : (double)NAN;
    free(halves);
    return median;
}

/* What counts most of the numbers in cycles, and how many have no clock. */
static void say_cycles(const struct view *view, FILE *html)
{
    const struct grades grades = grades_of_cycles(view);
    size_t all = grades.pmu + grades.chain + grades.wall;
    if (!all)
        return;
    if (grades.wall == all)
        fputs(" · cycles not known (wall)", html);
    else
        fputs(grades.pmu > grades.chain ? " · cycles by hardware counters (pmu)"
                                        : " · cycles by the chain clock (chain)",
              html);
    if (grades.wall && grades.wall < all)
        fprintf(html, ", %zu of %zu numbers without cycles (wall)", grades.wall, all);
}

static void write_validity(const struct view *view, FILE *html)
{
    double samples = view_number(view->end, "samples"), lost = 0, noise = noise_of(view);
    const char *cause;
    char state[160];
    json_t *count, *rejected = json_object_get(view->end, "rejected");
    json_object_foreach(rejected, cause, count) lost += json_number_value(count);
    if (!(samples > 0)) {
        samples = (double)view->samples;
        lost = (double)view->samples_rejected;
    }
    fprintf(html, "<p class=\"validity\"><a href=\"#validity\">Can I believe it?</a> <strong>%s</strong>",
            view_run_state(view, state, sizeof state));
    if (samples > 0)
        fprintf(html, " · %.0f of %.0f samples kept", samples - lost, samples);
    say_cycles(view, html);
    if (isfinite(noise))
        fprintf(html, " · a GEMV's time is known within ±%.1f%%", 100 * noise);
    fputs(" · <a href=\"#gate\">Smallest loss it can tell</a> · <a href=\"#glossary\">Glossary</a></p>\n", html);
}

void page_write_first(const struct view *view, const struct page_figure *hero, FILE *html)
{
    struct headline headlines[HEADLINES];
    headlines_of(view, headlines);
    fputs("<div id=\"first\">\n", html);
    write_machine(view, html);
    page_write_alarms(view, html);
    write_big(headlines, html);
    fputs("<div class=\"halves\">\n", html);
    if (hero)
        page_write_figure(hero, view, 1, html);
    fputs("<div>\n<h2>What this says</h2>\n", html);
    write_sentences(view, html);
    page_write_levels(view, html);
    write_validity(view, html);
    fputs("</div>\n</div>\n</div>\n", html);
}
