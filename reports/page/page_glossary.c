/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The glossary of the page: the first table of docs/glossary.md, which is embedded into the binary.
 */
#include <stdbool.h>
#include <string.h>

#include "reports/draw/embedded_text.h"
#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/page/page_sections.h"

enum { CELL_MOST = 400 };

/** Text of a cell of Markdown; what stands between backticks is code. */
static void write_cell(const char *begin, const char *end, FILE *html)
{
    char part[CELL_MOST];
    bool code = false;
    while (begin < end) {
        size_t length = 0;
        while (begin + length < end && begin[length] != '`' && length < sizeof part - 1)
            length++;
        memcpy(part, begin, length);
        part[length] = '\0';
        markup_text(html, part);
        begin += length;
        if (begin < end && *begin == '`') {
            code = !code;
            fputs(code ? "<code>" : "</code>", html);
            begin++;
        }
    }
}

/** A line "| word | meaning |". */
static void write_row(const char *line, FILE *html)
{
    const char *end = strchr(line, '\n'), *word = line + 2, *between = strstr(word, " | ");
    fputs("<dt>", html);
    write_cell(word, between, html);
    fputs("</dt><dd>", html);
    write_cell(between + 3, end - 2, html);
    fputs("</dd>\n", html);
}

void page_write_glossary(FILE *html)
{
    static const char rule[] = "|---|---|\n";
    const char *line = strstr(embedded_text("docs/glossary.md"), rule) + strlen(rule);
    html_fold_begin(html, "glossary", "Glossary");
    fputs("<dl class=\"runs\">\n", html);
    for (; *line == '|'; line = strchr(line, '\n') + 1)
        write_row(line, html);
    fputs("</dl>\n", html);
    html_fold_end(html);
}
