/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/kernels/limit.h"
#include "reports/select/machines/recommended.h"
#include "results/statistics/best_of.h"

enum { COLUMNS = 9 };

/** A name may be broken after its dots, so that all columns are visible. */
static void write_name(const json_t *cell, const char *absent, FILE *html)
{
    if (!cell) {
        fputs("<td>", html);
        markup_text(html, absent);
        fputs("</td>", html);
        return;
    }
    const char *rest = view_text(cell, "name");
    fputs("<td><code>", html);
    while (*rest) {
        char part[128];
        size_t length = strcspn(rest, ".");
        length += rest[length] == '.';
        length = length < sizeof part ? length : sizeof part - 1;
        snprintf(part, sizeof part, "%.*s", (int)length, rest);
        markup_text(html, part);
        rest += length;
        fputs(*rest ? "<wbr>" : "", html);
    }
    fputs("</code></td>", html);
}

static void write_row(const struct recommended *row, FILE *html)
{
    char threads[48];
    html_bounded(html, "%.0f%%", 100, &row->share, "too few samples");
    html_bounded(html, "%.3g", 1, &row->knee, row->gamma ? "too few samples" : "no γ");
    html_cell(html, best_fill_words(&row->fill, threads, sizeof threads));
    html_bounded(html, "%.3g", 1, &row->tokens_per_s, "too little was measured");
    html_cell(html, *row_limit_words(row->cell) ? row_limit_words(row->cell) : "not known");
    write_name(row->published, "none of this kind", html);
    html_bounded(html, "%.0f%%", 100, &row->published_share, row->published ? "too few samples" : "–");
}

/* What brings a width that the run lacks, into this run. */
static void write_command(const struct view *view, const struct width *width, FILE *html)
{
    fprintf(html, "<td colspan=\"%d\">not in this run: <code>kneepoint gemv --cold --into=", COLUMNS - 1);
    markup_text(html, view->path);
    fprintf(html, " %s</code> brings it</td>", width->measured);
}

static bool any_modelled(const struct recommended *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].tokens_measured < 0.999)
            return true;
    }
    return false;
}

/* One kernel of the notes, after its width. */
static void write_noted(size_t number, const char *width, const json_t *row, FILE *html)
{
    fprintf(html, "%s%s-bit <code>", number ? ", " : " ", width);
    markup_text(html, view_text(row, "name"));
    fputs("</code>", html);
}

/* Which kernels were passed over, and which are named though none can be chosen. */
static void write_notes(const struct recommended *rows, size_t count, FILE *html)
{
    size_t passed = 0, lucky = 0;
    for (size_t i = 0; i < 2 * count; i++) {
        const struct recommended *row = &rows[i / 2];
        const json_t *over = i % 2 ? row->best_published.passed : row->best.passed;
        if (!over || (i % 2 && over == row->best.passed))
            continue;
        if (!passed)
            fprintf(html,
                    "<p>Passed over, because fewer than %d of their samples were kept, though they may be faster:",
                    BEST_OF_KEPT_LEAST);
        write_noted(passed++, row->width->name, over, html);
    }
    fputs(passed ? ".</p>\n" : "", html);
    for (size_t i = 0; i < count; i++) {
        bool by_luck = rows[i].cell && !rows[i].best.known;
        if (by_luck && !lucky)
            fprintf(html,
                    "<p>Not surely the best, because no kernel of their width kept %d samples; they have the least "
                    "median, luck included:",
                    BEST_OF_KEPT_LEAST);
        if (by_luck)
            write_noted(lucky++, rows[i].width->name, rows[i].cell, html);
    }
    fputs(lucky ? ".</p>\n" : "", html);
}

void page_write_recommended(const struct view *view, FILE *html)
{
    struct recommended rows[RECOMMENDED_MAX];
    size_t count = recommended_of(view, rows);
    unsigned team = recommended_team(view);
    char about[960];
    snprintf(
        about, sizeof about,
        "Best by cold GEMVs of 4096×4096 with %u thread%s; among kernels that are as fast as can be told, the one with the "
        "highest knee. Of the roof: share of the read bandwidth measured beside it. Limited by neither: it attains less than 70%% of what "
        "memory or its instructions allow. Brackets hold 95%% intervals. "
        "Tokens/s: what the matrices alone allow, with layers in this width and the output head in floats%s. "
        "Published: the rendering of published code that attains the most of the roof, of those whose weights are of the same kind "
        "(integers with one scale for the tensor, integers with scales for blocks, codebooks). Products of planes with activations of fewer than 8 bits are not "
        "among these.",
        team, team == 1 ? "" : "s",
        any_modelled(rows, count) ? "; no interval if the model stands in for shapes that were not measured" : "");
    fputs("<section id=\"run-this\">\n<h2>What to run on this CPU</h2>\n", html);
    html_table_begin(
        html, &(struct html_table){"recommended", "What to run on this CPU, by width of weights", .about = about,
                                   .headings = HTML_HEADINGS("#weights, bits", "best kernel here", "#of the roof",
                                                             "#knee, B/cycle", "threads that fill memory",
                                                             "#tokens/s at most, " RECOMMENDED_MODEL, "limited by",
                                                             "published kernel", "#of the roof")});
    for (size_t i = 0; i < count; i++) {
        fprintf(html, "<tr><th scope=\"row\" class=\"n\" data-v=\"%s\">%s</th>", rows[i].width->name,
                rows[i].width->name);
        if (rows[i].cell) {
            write_name(rows[i].cell, "", html);
            write_row(&rows[i], html);
        } else {
            write_command(view, rows[i].width, html);
        }
        fputs("</tr>\n", html);
    }
    html_table_end(html);
    write_notes(rows, count, html);
    fputs("<p class=\"copy\" hidden><button type=\"button\" data-copy=\"markdown\">Copy as Markdown</button> <button "
          "type=\"button\" data-copy=\"csv\">Copy as CSV</button> <span role=\"status\"></span></p>\n</section>\n",
          html);
}
