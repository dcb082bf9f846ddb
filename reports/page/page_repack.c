/* SPDX-License-Identifier: BSD-3-Clause */

#include "reports/page/html.h"
#include "reports/page/page_sections.h"

static void write_row(const json_t *repack, FILE *html)
{
    fputs("<tr>", html);
    html_cell(html, view_text(repack, "name"));
    html_cell(html, view_text(repack, "rows"));
    html_number(html, "%.0f", view_number(repack, "m"));
    html_number(html, "%.0f", view_number(repack, "k"));
    html_number(html, "%.0f", view_number(repack, "threads"));
    html_number(html, "%.4g", 1e6 * view_median(repack, "time_s"));
    html_number(html, "%.4g", 1e-9 * view_median(repack, "bytes_per_s"));
    html_number(html, "%.4g", 1e-6 * view_number(repack, "bytes_held_twice"));
    html_number(html, "%.4g", 1e6 * view_number(repack, "rows_gemv_s"));
    html_number(html, "%.4g", 1e6 * view_number(repack, "order_gemv_s"));
    html_number(html, "%.3g", view_number(repack, "pays_after_tokens"));
    html_cell(html, view_text(repack, "pays_after_tokens_reason"));
    html_number(html, "%.0f", view_number(json_object_get(repack, "time_s"), "n"));
    fputs("</tr>\n", html);
}

void page_write_repack(const struct view *view, FILE *html)
{
    const struct view_rows *rows = &view->of[VIEW_REPACK];
    if (!rows->count)
        return;
    fputs("<h3>Repacking: from the rows of a model file to the order of a kernel</h3>\n", html);
    html_table_begin(
        html,
        &(struct html_table){
            "repack", "Repacking", .example = "q4_0_8x8",
            .headings = HTML_HEADINGS("order", "rows", "#m", "#k", "#threads", "#time, µs", "#GB/s", "#MB held twice",
                                      "#rows' GEMV, µs", "#its GEMV, µs", "#pays after tokens", "", "#kept"),
            .about = "A matrix from memory to memory that is already mapped; each byte is read once and "
                     "written once, and counts once. Repacking pays once the GEMVs have saved more time "
                     "than it took, each by the fastest kernel, cold, with the same team."});
    for (size_t i = 0; i < rows->count; i++)
        write_row(rows->rows[i], html);
    html_table_end(html);
}
