/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/machines/recommended.h"

static void write_row(const json_t *row, enum view_type type, FILE *html)
{
    char pass[64];
    struct bounded rate = recommended_quantity(row, "tokens_per_s"), share = recommended_quantity(row, "roof_fraction");
    fputs("<tr>", html);
    snprintf(pass, sizeof pass, "token by token%s%.16s%s", type == VIEW_CACHED ? ", " : "",
             type == VIEW_CACHED ? view_text(row, "cache") : "", type == VIEW_CACHED ? " cache" : "");
    html_cell(html, type == VIEW_PREFILL ? "prompt" : pass);
    html_cell(html, view_text(row, "model"));
    html_cell(html, view_text(row, "name"));
    html_number(html, "%.4g", view_format_bits(row));
    html_number(html, "%.0f", view_number(row, "threads"));
    html_number(html, "%.0f", view_number(row, type == VIEW_PREFILL ? "tokens" : "context"));
    html_bounded(html, "%.4g", 1, &rate, "too few samples");
    html_bounded(html, "%.0f%%", 100, &share, "–");
    fputs("</tr>\n", html);
}

void page_write_tokens(const struct view *view, FILE *html)
{
    static const enum view_type types[] = {VIEW_DECODE, VIEW_CACHED, VIEW_PREFILL};
    if (!view->of[VIEW_DECODE].count && !view->of[VIEW_CACHED].count && !view->of[VIEW_PREFILL].count)
        return;
    fputs("<h3>Whole models</h3>\n", html);
    html_table_begin(
        html,
        &(struct html_table){
            "decoded", "Whole models: tokens per second", .example = "i2_s",
            .headings = HTML_HEADINGS("pass", "model", "kernel", "#bits", "#threads",
                                      "#tokens before, or of the prompt", "#tokens/s", "#of the roof"),
            .about = "A whole pass with random weights, attention, norms and activations "
                     "included. Brackets hold 95% intervals. Of the roof: the bytes that a "
                     "token must read, over the bytes that the team can read in that time. Keys and values are in bf16 "
                     "where no cache is named."});
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t i = 0; i < view->of[types[t]].count; i++)
            write_row(view->of[types[t]].rows[i], types[t], html);
    }
    html_table_end(html);
}
