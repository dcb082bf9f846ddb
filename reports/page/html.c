/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/html.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/markup.h"

void html_cell(FILE *html, const char *text)
{
    fputs("<td>", html);
    markup_text(html, text);
    fputs("</td>", html);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void html_number(FILE *html, const char *format, double value)
{
    if (!isfinite(value)) {
        fputs("<td>–</td>", html);
        return;
    }
    char shown[64], *end;
    snprintf(shown, sizeof shown, format, value);
    strtod(shown, &end);
    fputs("<td", html);
    if (*end || end == shown) /* what the script cannot sort by as it is read */
        fprintf(html, " data-v=\"%.9g\"", value);
    fprintf(html, ">%s</td>", shown);
}

void html_bounded(FILE *html, const char *format, double times, const struct bounded *number, const char *why)
{
    if (!isfinite(number->value)) {
        fputs("<td data-v=\"\">", html);
        markup_text(html, *why ? why : "–");
        fputs("</td>", html);
        return;
    }
    const bool bounded = isfinite(number->low) && !isnan(number->high), ends = bounded && isfinite(number->high);
    fprintf(html, "<td data-v=\"%.9g\"", number->value);
    if (ends)
        fprintf(html, " data-low=\"%.9g\" data-high=\"%.9g\"", number->low, number->high);
    fputs(">", html);
    fprintf(html, format, times * number->value);
    if (bounded) {
        fputs(" <small>[", html);
        fprintf(html, format, times * number->low);
        fputs(", ", html);
        if (ends)
            fprintf(html, format, times * number->high);
        fputs(ends ? "]</small>" : "∞)</small>", html);
    }
    fputs("</td>", html);
}
#pragma GCC diagnostic pop

void html_prose(FILE *html, const char *text)
{
    char part[512];
    bool code = false;
    while (*text) {
        const size_t length = strcspn(text, "`"), fits = length < sizeof part ? length : sizeof part - 1;
        snprintf(part, sizeof part, "%.*s", (int)fits, text);
        markup_text(html, part);
        text += fits;
        if (*text != '`')
            continue;
        fputs(code ? "</code>" : "<code>", html);
        code = !code;
        text++;
    }
    fputs(code ? "</code>" : "", html);
}

/* Hidden until the script that it needs runs. */
static void write_filter(FILE *html, const struct html_table *table)
{
    fprintf(html,
            "<p class=\"filter\" hidden><label>Show rows with <input type=\"search\" data-filter=\"%s\" placeholder=\"",
            table->id);
    markup_text(html, table->example);
    fprintf(html, "\"></label> <span role=\"status\" data-count=\"%s\"></span></p>\n", table->id);
}

/* The columns of numbers as classes of the table, "n2 n3": said once here, and not in every cell. */
static void write_number_columns(FILE *html, const char *const *headings)
{
    bool any = false;
    for (size_t i = 0; headings[i]; i++) {
        if (*headings[i] != '#')
            continue;
        fprintf(html, "%sn%zu", any ? " " : " class=\"", i + 1);
        any = true;
    }
    fputs(any ? "\"" : "", html);
}

void html_table_begin(FILE *html, const struct html_table *table)
{
    fprintf(html, "<p class=\"about\" id=\"%s-about\">", table->id);
    markup_text(html, table->about);
    fputs("</p>\n", html);
    if (table->example)
        write_filter(html, table);
    fprintf(html, "<div class=\"scroll\" tabindex=\"0\"><table id=\"%s\" aria-describedby=\"%s-about\"", table->id,
            table->id);
    write_number_columns(html, table->headings);
    fputs("><caption>", html);
    markup_text(html, table->caption);
    fputs("</caption><thead><tr>", html);
    for (const char *const *heading = table->headings; *heading; heading++) {
        bool number = **heading == '#';
        fprintf(html, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
        markup_text(html, *heading + number);
        fputs("</th>", html);
    }
    fputs("</tr></thead><tbody>\n", html);
}

void html_table_end(FILE *html)
{
    fputs("</tbody></table></div>\n", html);
}

void html_fold_begin(FILE *html, const char *id, const char *line)
{
    fprintf(html, "<details class=\"fold\" id=\"%s\"><summary>", id);
    markup_text(html, line);
    fputs("</summary>\n", html);
}

void html_fold_end(FILE *html)
{
    fputs("</details>\n", html);
}
