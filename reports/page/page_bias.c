/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "reports/page/html.h"
#include "reports/page/page_sections.h"

static bool is_bias(const json_t *record)
{
    return strcmp(view_text(record, "type"), "bias") == 0;
}

static size_t count_of(const json_t *records)
{
    size_t index, count = 0;
    json_t *record;
    json_array_foreach((json_t *)records, index, record) count += is_bias(record);
    return count;
}

/** A distance is a logarithm. */
static double percent(double distance)
{
    return 100 * expm1(distance);
}

static void write_row(const json_t *record, FILE *html)
{
    fputs("<tr>", html);
    html_cell(html, view_text(record, "name"));
    html_cell(html, view_text(record, "subject"));
    html_cell(html, view_text(record, "factor"));
    html_number(html, "%.0f", (double)json_array_size(json_object_get(record, "levels")));
    html_number(html, "%.2f", 100 * view_number(record, "spread"));
    html_number(html, "%.2f", percent(view_number(record, "distance")));
    html_number(html, "%.2f", percent(view_number(record, "noise")));
    html_number(html, "%.2f", percent(view_number(record, "net")));
    fputs("</tr>\n", html);
}

void page_write_bias(const struct view *view, FILE *html)
{
    const json_t *records = view->records ? view->records->records : NULL;
    size_t index;
    json_t *record;
    if (!count_of(records))
        return;
    html_fold_begin(html, "layout", "What a change of layout alone does here");
    html_table_begin(html,
                     &(struct html_table){
                         "bias", "Layout alone", .example = "code_alignment",
                         .headings = HTML_HEADINGS("of", "subject", "factor", "#levels", "#spread, %", "#95% apart, %",
                                                   "#noise, %", "#not noise, %"),
                         .about = "The same work with one thing changed: its code elsewhere in a line or in other "
                                  "pages, its stack or its buffers shifted, other data, other pages, or nothing, "
                                  "which shows the noise. Spread: the slowest level over the fastest, minus 1. 95% "
                                  "apart: two levels drawn at random are at most this far apart, 19 times in 20. "
                                  "Noise: how far apart they are if the levels of each round are shuffled. A "
                                  "difference between two builds that is no larger says nothing about their source."});
    json_array_foreach((json_t *)records, index, record)
    {
        if (is_bias(record))
            write_row(record, html);
    }
    html_table_end(html);
    html_fold_end(html);
}
