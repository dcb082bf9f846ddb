/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/kernels/best.h"

/** How many times as fast as the same kernel is with one thread; NaN: that was not measured, or this is it. */
static double over_one_core(const struct view *view, const json_t *gemm, struct gemm_query query)
{
    const double team = view_median(gemm, "ops_per_s");
    query.threads = 1;
    for (size_t i = 0; view_number(gemm, "threads") > 1 && i < view->of[VIEW_GEMM].count; i++) {
        const json_t *row = view->of[VIEW_GEMM].rows[i];
        if (gemm_cells_match(row, &query) && strcmp(view_text(row, "name"), view_text(gemm, "name")) == 0)
            return team / view_median(row, "ops_per_s");
    }
    return NAN;
}

static void write_row(const struct view *view, const json_t *gemm, const struct gemm_query *query, FILE *html)
{
    double attained = view_median(gemm, "ops_per_cycle"), multiply = view_number(gemm, "multiply_roof_ops_per_cycle");
    html_number(html, "%.0f", view_number(gemm, "n"));
    html_number(html, "%g", view_format_bits(gemm));
    html_cell(html, view_text(gemm, "name"));
    html_number(html, "%.4g", 1e6 * view_median(gemm, "time_s"));
    html_number(html, "%.4g", view_median(gemm, "ops_per_s") / 1e9);
    html_number(html, "%.2f", over_one_core(view, gemm, *query));
    html_number(html, "%.4g", attained);
    html_number(html, "%.0f", 100 * view_number(gemm, "memory_s") / view_median(gemm, "time_s"));
    html_number(html, "%.0f", gemm_cells_is_counted(gemm) ? 100 * attained / multiply : (double)NAN);
    html_number(html, "%.0f",
                gemm_cells_is_counted(gemm) ? 100 * attained / view_number(gemm, "operand_roof_ops_per_cycle")
                                            : (double)NAN);
    html_cell(html, view_text(gemm, "binds"));
    html_number(html, "%.4g", view_median(gemm, "tokens_per_s"));
    html_number(html, "%.0f", view_number(json_object_get(gemm, "time_s"), "n"));
}

/** Where several were measured and too few samples of them were kept to choose one. */
static void write_not_known(const json_t *any, FILE *html)
{
    enum { AFTER = 10 };
    html_number(html, "%.0f", view_number(any, "n"));
    html_number(html, "%g", view_format_bits(any));
    html_cell(html, "not known: too few samples were kept to choose");
    for (size_t i = 0; i < AFTER; i++)
        html_cell(html, "");
}

/** The fastest kernel of each width, with each number of tokens. */
static void write_rows(const struct view *view, struct gemm_query query, FILE *html)
{
    double tokens[GEMM_CELLS_TOKENS], widths[GEMM_CELLS_WIDTHS];
    size_t count = gemm_cells_tokens(view, &query, tokens), of = gemm_cells_widths(view, &query, widths);
    for (size_t w = 0; w < of; w++) {
        for (size_t i = 0; i < count; i++) {
            query.n = tokens[i];
            query.format_bits = widths[w];
            struct best best = best_gemm(view, &query);
            if (!best.row)
                continue;
            fputs("<tr>", html);
            if (best.known)
                write_row(view, best.row, &query, html);
            else
                write_not_known(best.row, html);
            fputs("</tr>\n", html);
        }
    }
}

void page_write_gemm(const struct view *view, FILE *html)
{
    if (!view->of[VIEW_GEMM].count)
        return;
    struct gemm_query query = gemm_cells_reference(view);
    fprintf(
        html,
        "<h3>GEMM: several tokens at once, as in prefill</h3>\n<p class=\"about\">The tokens of a prompt share one "
        "pass over the weights, and the limit of a product moves from memory to arithmetic. The fastest valid kernel "
        "of each width on a weight matrix of %.0f×%.0f with %u thread%s, weights %s.</p>\n",
        query.m, query.k, query.threads, query.threads == 1 ? "" : "s",
        query.cold ? "from memory" : "again from the cache they fit");
    html_table_begin(
        html,
        &(struct html_table){
            "gemm-cells", "GEMM by number of tokens", .example = "1024 avx512",
            .headings = HTML_HEADINGS("#tokens", "#bits", "kernel", "#time, µs", "#Gop/s", "#× one core", "#ops/cycle",
                                      "#% of the memory roof", "#% of the multiply roof", "#% of the operand roof",
                                      "limited by", "#tokens/s", "#kept"),
            .about =
                "Operations: a multiply and an add count two; per second for the whole team, per cycle for "
                "one core. × one core: over the same kernel with one thread. If the samples have no clock, the multiply roof is not judged. The memory roof "
                "is what reading the packed weights once allows with this many tokens, the multiply roof "
                "what the instruction set can multiply with operands in registers, the operand roof what loading "
                "tiles of both operands allows, one from L1 and one from L2. Tokens/s: for this "
                "matrix alone, not for a model. Kept: samples that the row is based on."});
    write_rows(view, query, html);
    html_table_end(html);
}
