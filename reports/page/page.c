/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/page.h"

#include <string.h>

#include "reports/page/page_frame.h"
#include "reports/page/page_sections.h"

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
