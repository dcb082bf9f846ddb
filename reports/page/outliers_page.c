/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/page_sections.h"

#include "reports/page/html.h"

static void write_found(const struct outliers *outliers, FILE *html)
{
    html_table_begin(html, &(struct html_table){
                               "outliers", "Outlying values",
                               "A row for each outlying value, the largest deviation of a machine first.", "node gamma",
                               HTML_HEADINGS("machine", "quantity", "of", "#value", "#median", "unit", "#off by, %",
                                             "#MAD away", "run")});
    for (size_t i = 0; i < outliers->found_count; i++) {
        const struct outlier *outlier = &outliers->found[i];
        const struct outliers_row *row = outlier_row(outliers, outlier);
        fputs("<tr>", html);
        html_cell(html, outliers->runs[outlier->run].node);
        html_cell(html, row->kind->id);
        html_cell(html, row->name);
        html_number(html, row->kind->format, outlier->value * row->kind->scale);
        html_number(html, row->kind->format, row->spread.median * row->kind->scale);
        html_cell(html, row->kind->unit);
        html_number(html, "%+.1f", 100 * outlier_fraction(outliers, outlier));
        html_number(html, "%+.1f", fleet_deviations(outlier->value, &row->spread));
        html_cell(html, outliers->runs[outlier->run].path);
        fputs("</tr>\n", html);
    }
    html_table_end(html);
}

static void write_spreads(const struct outliers *outliers, FILE *html)
{
    html_table_begin(html,
                     &(struct html_table){"spreads", "Spread over the machines",
                                          "The spread of every quantity over the machines of one CPU; MAD is the "
                                          "median absolute deviation from the median, unscaled.",
                                          "memory",
                                          HTML_HEADINGS("quantity", "of", "#machines", "#median", "unit", "#MAD, %",
                                                        "#lowest", "machine", "#highest", "machine", "CPU")});
    for (size_t i = 0; i < outliers->row_count; i++) {
        const struct outliers_row *row = &outliers->rows[i];
        fputs("<tr>", html);
        html_cell(html, row->kind->id);
        html_cell(html, row->name);
        html_number(html, "%.0f", (double)row->spread.n);
        html_number(html, row->kind->format, row->spread.median * row->kind->scale);
        html_cell(html, row->kind->unit);
        html_number(html, "%.2f", 100 * row->spread.mad / row->spread.median);
        html_number(html, row->kind->format, row->low * row->kind->scale);
        html_cell(html, outliers->runs[row->lowest].node);
        html_number(html, row->kind->format, row->high * row->kind->scale);
        html_cell(html, outliers->runs[row->highest].node);
        html_cell(html, outliers->runs[row->fleet].cpu);
        fputs("</tr>\n", html);
    }
    html_table_end(html);
}

static size_t runs_off(const struct outliers *outliers)
{
    size_t off = 0;
    for (size_t i = 0; i < outliers->count; i++)
        off += outliers->runs[i].off > 0;
    return off;
}

void outliers_write(const struct outliers *outliers, FILE *html)
{
    if (outliers->count < FLEET_LEAST)
        return;
    fputs("<h2 id=\"fleet\">Outliers of the fleet</h2>\n", html);
    if (!outliers->compared) {
        fprintf(html,
                "<p class=\"absent\">Fewer than %d runs of one CPU have measured the same, so there are no outliers to "
                "find.</p>\n",
                FLEET_LEAST);
        return;
    }
    fprintf(
        html,
        "<p class=\"about\">%zu of %zu values, on %zu of %zu machines, are outliers: farther from the median of the "
        "machines with the same CPU than %.0f median absolute deviations and than %.0f%%, and by more than their own "
        "95%% interval. Of values that only scatter, one in 10 (4 machines) to one in 20 (many) lies that far away: "
        "one such value on a machine is no cause for concern, many are.</p>\n",
        outliers->found_count, outliers->compared, runs_off(outliers), outliers->count, FLEET_DEVIATIONS,
        100 * FLEET_LEAST_FRACTION);
    if (outliers->found_count)
        write_found(outliers, html);
    write_spreads(outliers, html);
}
