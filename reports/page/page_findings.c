/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/page_sections.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "results/files/need.h"

/* One paragraph per line. */
static void write_statements(const char *text, FILE *html)
{
    char *copy = need_copy(text), *rest = copy;
    for (char *line = copy ? strsep(&rest, "\n") : NULL; line; line = strsep(&rest, "\n")) {
        if (!*line)
            continue;
        fputs("<p>", html);
        markup_text(html, line);
        fputs("</p>", html);
    }
    free(copy);
}

/* A cell of a column of numbers begins with the number that it is sorted by. */
static void write_cell(const char *text, bool number, FILE *html)
{
    if (!number) {
        html_cell(html, text);
        return;
    }
    char *end;
    double value = strtod(text, &end);
    if (end == text)
        fputs("<td data-v=\"\">", html);
    else
        fprintf(html, "<td data-v=\"%.6g\">", value);
    markup_text(html, *text ? text : "–");
    fputs("</td>", html);
}

static void write_row(char *row, const char *const *headings, FILE *html)
{
    char *rest = row;
    fputs("<tr>", html);
    for (size_t column = 0; headings[column]; column++) {
        const char *cell = rest ? strsep(&rest, "\t") : "";
        write_cell(cell, *headings[column] == '#', html);
    }
    fputs("</tr>\n", html);
}

static void write_table(const struct finding *finding, FILE *html)
{
    char id[sizeof finding->title + 8] = "finding-", *copy = need_copy(finding->rows), *rest = copy;
    size_t length = strlen(id);
    for (const char *at = finding->title; *at && length + 1 < sizeof id; at++)
        id[length++] = isalnum((unsigned char)*at) ? *at : '-';
    id[length] = 0;
    html_table_begin(html,
                     &(struct html_table){
                         .id = id, .caption = finding->title, .about = finding->about, .headings = finding->headings});
    for (char *line = copy ? strsep(&rest, "\n") : NULL; line; line = strsep(&rest, "\n")) {
        if (*line)
            write_row(line, finding->headings, html);
    }
    html_table_end(html);
    free(copy);
}

void page_write_finding(const struct finding *finding, FILE *html)
{
    fputs("<h3>", html);
    markup_text(html, finding->title);
    fputs("</h3>\n<div class=\"finding\">", html);
    write_statements(finding->text, html);
    fputs("</div>\n", html);
    if (*finding->rows)
        write_table(finding, html);
}
