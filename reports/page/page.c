/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/page.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reports/draw/embedded_text.h"
#include "reports/draw/markup.h"
#include "reports/page/page_sections.h"
#include "results/files/need.h"

static const struct page_figure *hero_of(const struct page *page)
{
    for (size_t i = 0; i < page->figure_count; i++) {
        if (page->figures[i].figure->section == FIGURE_FIRST)
            return &page->figures[i];
    }
    return NULL;
}

char *page_text(const struct view *view, const struct page *page, size_t *length)
{
    char *text = NULL;
    FILE *html = page_begin(&text, length, view_machine_name(view));
    if (!html)
        return NULL;
    page_write_first(view, hero_of(page), html);
    page_write_recommended(view, html);
    page_write_questions(view, page, html);
    page_write_glossary(html);
    page_write_gate(view, html);
    page_write_reproduce(view, html);
    return page_end(html, &text);
}

FILE *page_begin(char **text, size_t *length, const char *title)
{
    FILE *html = need_stream(text, length);
    if (!html)
        return NULL;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" "
          "content=\"kneepoint " KNEEPOINT_VERSION "\">\n"
          "<title>Kneepoint: ",
          html);
    markup_text(html, title);
    fputs("</title>\n<style>\n", html);
    fputs(embedded_text("reports/page/report.css"), html);
    fputs("</style>\n</head>\n<body>\n<main>\n", html);
    return html;
}

char *page_end(FILE *html, char *text[static 1])
{
    fputs("</main>\n<script>\n", html);
    fputs(embedded_text("reports/page/report.js"), html);
    fputs("</script>\n</body>\n</html>\n", html);
    bool failed = ferror(html);
    if (need_close(html) != 0 || failed) {
        free(*text);
        return NULL;
    }
    return *text;
}
