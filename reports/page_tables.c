/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/html.h"
#include "reports/page.h"

/* A table whose columns sort; a heading that begins with '#' is of numbers. */
static void begin_table(FILE *html, const char *id, const char *caption, const char *const *headings)
{
    fprintf(html, "<div class=\"scroll\"><table id=\"%s\"><caption>", id);
    html_text(html, caption);
    fputs("</caption><thead><tr>", html);
    for (; *headings; headings++) {
        bool number = **headings == '#';
        fprintf(html, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
        html_text(html, *headings + number);
        fputs("</th>", html);
    }
    fputs("</tr></thead><tbody>\n", html);
}

static void end_table(FILE *html)
{
    fputs("</tbody></table></div>\n", html);
}

/* Half the width of the 95% interval as a percentage of the median. */
static double uncertainty(const json_t *record, const char *field)
{
    const json_t *quantity = json_object_get(record, field), *interval = json_object_get(quantity, "ci95");
    double low = json_number_value(json_array_get(interval, 0)), high = json_number_value(json_array_get(interval, 1));
    return json_array_size(interval) == 2 ? 50 * (high - low) / view_median(record, field) : (double)NAN;
}

static const char *grade(const json_t *record, const char *field)
{
    return view_text(json_object_get(record, field), "grade");
}

static void write_beta(const struct view *view, FILE *html)
{
    static const char *const headings[] = {"level", "stream", "#threads", "prefetch", "#GB/s", "#B/cycle per core",
                                           "#± %",  "grade",  "roof",     NULL};
    if (!view->of[VIEW_BETA].count)
        return;
    fputs("<h3>β: read bandwidth</h3>\n", html);
    begin_table(html, "beta", "Every read stream that was tried; the best of a level and team is the roof.", headings);
    for (size_t i = 0; i < view->of[VIEW_BETA].count; i++) {
        const json_t *row = view->of[VIEW_BETA].rows[i];
        bool roof = view_flag(row, "roof");
        const char *stream = view_text(row, "stream");
        fputs(roof ? "<tr class=\"best\">" : "<tr>", html);
        html_cell(html, view_text(row, "level"));
        html_cell(html, *stream ? stream : view_text(row, "name"));
        html_number(html, "%.0f", view_number(row, "threads"));
        fputs("<td>", html);
        html_text(html, view_text(row, "prefetch"));
        if (view_number(row, "prefetch_bytes") > 0)
            fprintf(html, " +%.0f B", view_number(row, "prefetch_bytes"));
        fputs("</td>", html);
        html_number(html, "%.2f", view_median(row, "bytes_per_s") / 1e9);
        html_number(html, "%.3f", view_median(row, "bytes_per_cycle_per_core"));
        html_number(html, "%.1f", uncertainty(row, "bytes_per_s"));
        html_cell(html, grade(row, "bytes_per_s"));
        html_cell(html, roof ? "roof" : "");
        fputs("</tr>\n", html);
    }
    end_table(html);
}

static void write_gamma(const struct view *view, FILE *html)
{
    static const char *const headings[] = {
        "sequence",   "#accumulators", "#B per vector",  "#γ, cycles", "#± %", "bound by", "#ports γ",
        "#latency γ", "#paper's γ",    "#knee, B/cycle", "grade",      "",     NULL};
    if (!view->of[VIEW_GAMMA].count)
        return;
    fputs("<h3>γ: up-convert and multiply</h3>\n", html);
    begin_table(html, "gamma",
                "Core cycles per vector of 32 weights, operands in registers. Best: lowest with enough accumulators "
                "for a kernel.",
                headings);
    for (size_t i = 0; i < view->of[VIEW_GAMMA].count; i++) {
        const json_t *row = view->of[VIEW_GAMMA].rows[i];
        bool best = view_flag(row, "best");
        fputs(best ? "<tr class=\"best\">" : "<tr>", html);
        html_cell(html, view_text(row, "name"));
        html_number(html, "%.0f", view_number(row, "accumulators"));
        html_number(html, "%g", view_number(row, "bytes_per_vector"));
        html_number(html, "%.3f", view_median(row, "gamma"));
        html_number(html, "%.1f", uncertainty(row, "gamma"));
        html_cell(html, view_text(row, "bound"));
        html_number(html, "%.2f", view_number(row, "ports_gamma"));
        html_number(html, "%.2f", view_number(row, "latency_gamma"));
        html_number(html, "%.2f", view_number(row, "claimed"));
        html_number(html, "%.2f", view_number(row, "knee"));
        html_cell(html, grade(row, "gamma"));
        html_cell(html, best ? "best" : view_flag(row, "usable") ? "" : "probe only");
        fputs("</tr>\n", html);
    }
    end_table(html);
}

static void write_gemv_row(const json_t *row, FILE *html)
{
    fputs("<tr>", html);
    html_cell(html, view_text(row, "name"));
    html_number(html, "%.0f", view_number(row, "m"));
    html_number(html, "%.0f", view_number(row, "k"));
    html_number(html, "%.0f", view_number(row, "threads"));
    html_cell(html, view_text(row, "protocol"));
    html_cell(html, view_text(row, "level"));
    html_number(html, "%.2f", view_median(row, "time_s") * 1e6);
    html_number(html, "%.1f", uncertainty(row, "time_s"));
    html_number(html, "%.2f", view_median(row, "bytes_per_s") / 1e9);
    html_number(html, "%.1f", view_median(row, "ops_per_cycle"));
    html_number(html, "%.3f", view_median(row, "roof_fraction"));
    html_number(html, "%.2f", view_median(row, "predicted_s") * 1e6);
    html_number(html, "%+.1f", view_median(row, "residual") * 100);
    html_number(html, "%.2f", view_median(row, "overlap"));
    html_cell(html, view_text(row, "binds"));
    html_cell(html, view_flag(row, "above_roof") ? "above roof" : view_flag(row, "exact") ? "exact" : "");
    fputs("</tr>\n", html);
}

static void write_gemv(const struct view *view, FILE *html)
{
    static const char *const headings[] = {"kernel",      "#rows",
                                           "#columns",    "#threads",
                                           "protocol",    "weights in",
                                           "#µs",         "#± %",
                                           "#GB/s",       "#op/cycle per core",
                                           "#of roof",    "#predicted µs",
                                           "#residual %", "#overlap",
                                           "binds",       "result",
                                           NULL};
    if (!view->of[VIEW_GEMV].count)
        return;
    fputs("<h3>GEMV cells</h3>\n<p><label>Show rows with <input type=\"search\" data-filter=\"gemv\" "
          "placeholder=\"int1 4096 cold\"></label> "
          "<span data-count=\"gemv\"></span></p>\n",
          html);
    begin_table(html, "gemv",
                "Matrix × vector. Operations are 2 per weight; residual is measured over predicted time, less one.",
                headings);
    for (size_t i = 0; i < view->of[VIEW_GEMV].count; i++)
        write_gemv_row(view->of[VIEW_GEMV].rows[i], html);
    end_table(html);
}

static void write_steps(const struct view *view, FILE *html)
{
    static const char *const headings[] = {"step", "ISA", "#threads", "#k", "#µs", "#± %", "grade", NULL};
    if (!view->of[VIEW_SYNC].count && !view->of[VIEW_PREPARE].count)
        return;
    fputs("<h3>Beside the GEMV</h3>\n", html);
    begin_table(html, "steps", "The barrier of a team, and the quantization of the activations (per tensor).",
                headings);
    for (size_t i = 0; i < view->of[VIEW_SYNC].count + view->of[VIEW_PREPARE].count; i++) {
        size_t syncs = view->of[VIEW_SYNC].count;
        const json_t *row = i < syncs ? view->of[VIEW_SYNC].rows[i] : view->of[VIEW_PREPARE].rows[i - syncs];
        fputs("<tr>", html);
        html_cell(html, view_text(row, "name"));
        html_cell(html, view_text(row, "isa"));
        html_number(html, "%.0f", view_number(row, "threads"));
        html_number(html, "%.0f", view_number(row, "k"));
        html_number(html, "%.3f", view_median(row, "time_s") * 1e6);
        html_number(html, "%.1f", uncertainty(row, "time_s"));
        html_cell(html, grade(row, "time_s"));
        fputs("</tr>\n", html);
    }
    end_table(html);
}

void page_write_tables(const struct view *view, FILE *html)
{
    write_beta(view, html);
    write_gamma(view, html);
    write_gemv(view, html);
    write_steps(view, html);
}
