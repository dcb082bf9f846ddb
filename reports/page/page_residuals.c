/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of what the model misses by, kernel by kernel: omega, and the residuals of cells that it was not taken from.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/page/html.h"
#include "reports/page/page_sections.h"
#include "reports/select/kernels/residuals.h"

/** "0.47 [0.44, 0.51]", or why there is none. */
static void write_omega(const json_t *row, FILE *html)
{
    const json_t *quantity = json_object_get(row, "omega"), *interval = json_object_get(quantity, "ci95");
    char text[96];
    if (isfinite(view_median(row, "omega")) && json_array_size(interval) == 2)
        snprintf(text, sizeof text, "%.2f [%.2f, %.2f]", view_median(row, "omega"),
                 json_number_value(json_array_get(interval, 0)), json_number_value(json_array_get(interval, 1)));
    else
        snprintf(text, sizeof text, "%s", view_text(row, "omega_reason"));
    html_cell(html, text);
    html_number(html, "%.0f", view_number(quantity, "n"));
}

static void write_spreads(const struct view *view, struct residual_query query, FILE *html)
{
    query.with_overlap = true;
    struct residual_spread max = residuals_of(view, &query, RESIDUAL_MAX);
    struct residual_spread overlap = residuals_of(view, &query, RESIDUAL_OVERLAP);
    html_number(html, "%.0f", (double)overlap.count);
    html_number(html, "%.1f", 100 * max.median_size);
    if (query.cold && !query.small)
        html_number(html, "%.1f", 100 * max.tenth_size);
    html_number(html, "%.1f", 100 * overlap.median_size);
    if (query.cold && !query.small) {
        html_number(html, "%.1f", 100 * overlap.tenth_size);
        html_number(html, "%+.1f", 100 * overlap.median);
    }
    if (query.cold)
        html_cell(html, residuals_verdict(&overlap, query.small));
}

static void write_row(const struct view *view, const char *title, const json_t *omega, struct residual_query query,
                      FILE *html)
{
    fputs(omega ? "<tr>" : "<tr class=\"best\">", html);
    html_cell(html, title);
    if (omega) {
        write_omega(omega, html);
    } else {
        html_cell(html, "");
        html_cell(html, "");
    }
    query.cold = true;
    write_spreads(view, query, html);
    query.small = true;
    write_spreads(view, query, html);
    query.cold = query.small = false;
    write_spreads(view, query, html);
    fputs("</tr>\n", html);
}

/* A kernel that one cell was held out of has no spread: its cell says what it misses by. */
static bool has_spread(const struct view *view, const char *kernel)
{
    struct residual_query query = {.kernel = kernel, .cold = true, .with_overlap = true};
    return residuals_of(view, &query, RESIDUAL_OVERLAP).count > 1;
}

void page_write_residuals(const struct view *view, FILE *html)
{
    const struct view_rows *omegas = &view->of[VIEW_OMEGA];
    if (!omegas->count)
        return;
    fputs("<h3>What the model misses by</h3>\n", html);
    html_table_begin(
        html,
        &(struct html_table){
            "residuals", "What the model misses by, kernel by kernel", .example = "0.71 kneepoint",
            .headings = HTML_HEADINGS("kernel", "ω", "#ω, kept", "#cold cells", "#max, half within %",
                                      "#max, 9 of 10 within %", "#with ω, half within %", "#with ω, 9 of 10 within %",
                                      "#with ω, median, %", "with ω: target 3%, 8%", "#small cold cells",
                                      "#max, half within %", "#with ω, half within %", "with ω: target 10%",
                                      "#warm cells", "#max, half within %", "#with ω, half within %"),
            .about =
                "Measured less predicted time over the predicted time of GEMV cells. The prediction uses γ, ω, the "
                "start of a call, and β as the roof of this level and team was read beside other cells at about that "
                "time, not the roof beside the cell itself. One cell gives a kernel its ω, 4096×4096 cold with one "
                "thread, and has no residual: all others are held out. Max is the model without ω, max(bytes / β, γ × "
                "vectors / clock), on the same cells. Small matrices have fewer than 2²⁰ weights. Kernels with a "
                "single cell held out are not shown. Targets apply to our kernels with at least six cells. ω below 0: "
                "slower than reading and then computing; above 1: faster than the longer of the two alone."});
    write_row(view, "all of ours", NULL, (struct residual_query){.ours = true}, html);
    for (size_t i = 0; i < omegas->count; i++) {
        const char *name = view_text(omegas->rows[i], "name");
        if (!has_spread(view, name))
            continue;
        write_row(view, name, omegas->rows[i], (struct residual_query){.kernel = name}, html);
    }
    html_table_end(html);
}
