/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/draw/svg_compact.h"
#include "reports/page/page_sections.h"

/* The picture from its <svg> on: an HTML page takes no XML prologue and no name spaces. Its own title is left out, since browsers
 * would show it wherever the pointer meets no value; what it shows is said by its name and caption. */
static void write_svg(const char *svg, const char *title, FILE *html)
{
    const char *begin = strstr(svg, "<svg"), *box = begin ? strstr(begin, "viewBox=\"") : NULL,
               *inside = box ? strchr(box, '>') : NULL, *own = inside ? strstr(inside, "<title>") : NULL,
               *after = own ? strstr(own, "</title>") : NULL;
    fputs("<div class=\"picture\">", html);
    if (inside) {
        int length = (int)strcspn(box + strlen("viewBox=\""), "\"") + (int)strlen("viewBox=\"\"");
        fprintf(html, "<svg %.*s role=\"img\" aria-label=\"", length, box);
        markup_text(html, title);
        fputs("\">", html);
        svg_compact(after && own < strstr(inside, "<g ") ? after + strlen("</title>") : inside + 1, html);
    }
    fputs("</div>\n", html);
}

static bool ends_in_mark(const char *title)
{
    size_t length = strlen(title);
    return length && strchr("?!.", title[length - 1]);
}

void page_write_figure(const struct page_figure *slot, FILE *html)
{
    fprintf(html, "<figure id=\"figure-%s\">\n", slot->figure->name);
    if (slot->svg) {
        write_svg(slot->svg, slot->figure->title, html);
    } else {
        fputs("<p class=\"absent\">", html);
        markup_text(html, slot->why);
        fputs("</p>\n", html);
    }
    bool first = slot->figure->section == FIGURE_FIRST;
    fputs(first ? "<figcaption><details><summary>How to read it</summary>" : "<figcaption><strong>", html);
    if (!first) {
        markup_text(html, slot->figure->title);
        fputs(ends_in_mark(slot->figure->title) ? "</strong> " : ".</strong> ", html);
    }
    markup_text(html, slot->figure->caption);
    if (slot->svg)
        fprintf(html, " <span class=\"files\">Redraw with <code>gnuplot %s.gp</code>, from <code>%s.dat</code>.</span>",
                slot->figure->name, slot->figure->name);
    fputs(first ? "</details>" : "", html);
    fputs("</figcaption>\n</figure>\n", html);
}
