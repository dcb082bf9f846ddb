/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/page.h"

#include <string.h>

#include "reports/draw/markup.h"
#include "reports/findings/findings.h"
#include "reports/page/html.h"
#include "reports/page/page_frame.h"
#include "reports/page/page_sections.h"

static void write_header(const struct view *view, FILE *html)
{
    double seconds = view_number(view->end, "seconds");
    fputs("<header>\n<p class=\"brand\">Kneepoint</p>\n<h1>", html);
    markup_text(html, view_machine_name(view));
    fputs("</h1>\n<p class=\"sub\">", html);
    markup_text(html, view_microarchitecture(view));
    fputs(*view_microarchitecture(view) ? " · run " : "run ", html);
    markup_text(html, view_run_name(view));
    if (*view_text(view->meta, "started")) {
        fputs(" · started ", html);
        markup_text(html, view_text(view->meta, "started"));
    }
    if (seconds > 0)
        fprintf(html, " · took %.0f s", seconds);
    if (view_number(view->machine, "cores") > 0)
        fprintf(html, " · %.0f cores", view_number(view->machine, "cores"));
    fputs("</p>\n</header>\n", html);
}

static void write_notice(FILE *html, const char *text)
{
    fputs("<p class=\"notice\">", html);
    markup_text(html, text);
    fputs("</p>\n", html);
}

/* With the command that measures what is missing. */
static void write_unfinished(const struct view *view, FILE *html, const char *text)
{
    fputs("<p class=\"notice\">", html);
    markup_text(html, text);
    fputs(" <code>kneepoint characterize --resume=", html);
    markup_text(html, view->path);
    fputs("</code> continues it.</p>\n", html);
}

/* What a reader must know before believing a number. */
static void write_notices(const struct view *view, FILE *html)
{
    char text[512];
    if (view_flag(view->meta, "synthetic"))
        write_notice(
            html,
            "Synthetic run: these records were made up by a program to test the report. Nothing here was measured.");
    if (!view->end)
        write_unfinished(view, html,
                         "This run did not finish (killed, or still running): the summaries written so far are "
                         "shown.");
    else if (view_flag(view->end, "interrupted"))
        write_unfinished(view, html, "This run was interrupted. What was measured before that is shown.");
    else if (!view_flag(view->end, "complete"))
        write_unfinished(view, html, "This run is incomplete: its budget was spent. What was measured is shown.");
    double unsettled = view_number(view->end, "cells_unsettled");
    if (unsettled > 0) {
        snprintf(
            text, sizeof text,
            "%.0f cell%s could not be settled: the machine was too busy, and fewer than 6 of the samples were kept.",
            unsettled, unsettled == 1 ? "" : "s");
        write_notice(html, text);
    }
    if (view->records->truncated)
        write_notice(html, "The last line of records.jsonl was cut off and is left out.");
    if (view->records->bad_lines) {
        const char *reason = view->records->first_bad_reason;
        snprintf(text, sizeof text, "%zu line%s of records.jsonl %s wrong and left out; the first is line %zu%s%s.",
                 view->records->bad_lines, view->records->bad_lines == 1 ? "" : "s",
                 view->records->bad_lines == 1 ? "is" : "are", view->records->first_bad_line, *reason ? ": " : "",
                 reason);
        write_notice(html, text);
    }
    if (view_flag(view->meta, "dirty"))
        write_notice(html, "Measured by a build with uncommitted changes.");
    const char *left_out = view_text(view->meta, "left_out");
    if (*left_out) {
        snprintf(text, sizeof text, "Left out of this run since it was measured: %s.", left_out);
        write_notice(html, text);
    }
}

static void write_missing(const struct view *view, FILE *html)
{
    static const char *const meanings[VIEW_TYPES] = {[VIEW_BETA] = "β, the read bandwidth",
                                                     [VIEW_GAMMA] = "γ, the cost of the up-convert sequences",
                                                     [VIEW_GEMV] = "GEMV, the kernels on the shapes of models",
                                                     [VIEW_KNEE] = "the knee, sequences as streams from every level"};
    bool begun = false;
    for (int type = 0; type < VIEW_TYPES; type++) {
        if (!meanings[type] || view->of[type].count)
            continue;
        fputs(begun ? "" : "<h3>Not measured in this run</h3>\n<ul>\n", html);
        fprintf(html,
                "<li>%s: <code>%s</code> measures it, <code>kneepoint characterize</code> measures everything.</li>\n",
                meanings[type], view_type_command((enum view_type)type));
        begun = true;
    }
    fputs(begun ? "</ul>\n" : "", html);
}

/* One paragraph per line. */
static void write_statements(char *text, FILE *html)
{
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        fputs("<p>", html);
        markup_text(html, line);
        fputs("</p>", html);
    }
}

static void write_summary(const struct view *view, FILE *html)
{
    struct finding findings[FINDINGS_MAX];
    size_t count = findings_collect(view, findings, FINDINGS_MAX);
    fputs("<section id=\"summary\">\n<h2>Summary</h2>\n", html);
    if (!count)
        fputs("<p>This run holds no summaries yet.</p>\n", html);
    fputs(count ? "<dl>\n" : "", html);
    for (size_t i = 0; i < count; i++) {
        fputs("<dt>", html);
        markup_text(html, findings[i].title);
        fputs("</dt><dd>", html);
        write_statements(findings[i].text, html);
        fputs("</dd>\n", html);
    }
    fputs(count ? "</dl>\n" : "", html);
    write_missing(view, html);
    fputs("</section>\n", html);
}

static void write_figures(const struct page *page, FILE *html)
{
    fputs("<section id=\"figures\">\n<h2>Figures</h2>\n", html);
    for (size_t i = 0; i < page->figure_count; i++)
        page_write_figure(&page->figures[i], html);
    fputs("</section>\n", html);
}

static void write_command(const struct view *view, FILE *html)
{
    const json_t *command = json_object_get(view->meta, "command");
    size_t index;
    json_t *word;
    if (!json_array_size(command)) {
        fputs("kneepoint characterize", html);
        return;
    }
    json_array_foreach((json_t *)command, index, word)
    {
        fputs(index ? " " : "", html);
        markup_text(html, json_string_value(word) ? json_string_value(word) : "?");
    }
}

static void write_reproduce(const struct view *view, FILE *html)
{
    fputs("<section id=\"reproduce\">\n<h2>Reproduce</h2>\n<pre><code>", html);
    if (*view_text(view->meta, "revision")) {
        fputs("git checkout ", html);
        markup_text(html, view_text(view->meta, "revision"));
        fputs("\nmake\n", html);
    }
    write_command(view, html);
    fputs("                  # measure again\nkneepoint report ", html);
    markup_text(html, view->path);
    fputs("       # this page, from the saved records\nkneepoint figure knee --run ", html);
    markup_text(html, view->path);
    fputs(" --format pdf\n</code></pre>\n</section>\n", html);
}

char *page_text(const struct view *view, const struct page *page, size_t *length)
{
    char *text = NULL;
    FILE *html = page_begin(&text, length, view_machine_name(view));
    if (!html)
        return NULL;
    write_header(view, html);
    write_notices(view, html);
    write_summary(view, html);
    write_figures(page, html);
    fputs("<section id=\"tables\">\n<h2>Tables</h2>\n", html);
    page_write_kernels(view, html);
    page_write_residuals(view, html);
    page_write_tables(view, html);
    page_write_gemm(view, html);
    page_write_repack(view, html);
    fputs("</section>\n<section id=\"validity\">\n<h2>Validity</h2>\n", html);
    page_write_validity(view, html);
    page_write_bias(view, html);
    fputs("</section>\n<section id=\"provenance\">\n<h2>Provenance</h2>\n", html);
    page_write_provenance(view, html);
    fputs("</section>\n", html);
    write_reproduce(view, html);
    return page_end(html, &text);
}
