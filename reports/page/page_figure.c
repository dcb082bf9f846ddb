/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/draw/svg_compact.h"
#include "reports/page/html.h"
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

/* Below each picture; the script adds buttons that save it. */
static void write_command(const struct page_figure *slot, const struct view *runs, size_t count, FILE *html)
{
    fprintf(html, "<p class=\"files\"><code>kneepoint figure %s", slot->figure->name);
    for (size_t i = 0; i < count; i++) {
        fputs(" --run=", html);
        markup_text(html, runs[i].path);
    }
    fputs(
        "</code> draws it; <code>--column</code> for a column of a paper, <code>--image=pdf</code>, <code>png</code> or "
        "<code>tex</code>.</p>\n",
        html);
}

void page_write_figure(const struct page_figure *slot, const struct view *runs, size_t count, FILE *html)
{
    fprintf(html, "<figure id=\"figure-%s\">\n", slot->figure->name);
    if (slot->svg) {
        write_svg(slot->svg, slot->figure->title, html);
    } else {
        fputs("<p class=\"absent\">", html);
        html_prose(html, slot->why);
        fputs("</p>\n", html);
    }
    bool first = slot->figure->section == FIGURE_FIRST;
    fputs(first ? "<figcaption><details><summary>How to read it</summary>" : "<figcaption><strong>", html);
    if (!first) {
        markup_text(html, slot->figure->title);
        fputs(ends_in_mark(slot->figure->title) ? "</strong> " : ".</strong> ", html);
    }
    html_prose(html, slot->figure->caption);
    if (slot->svg && *slot->cited) {
        fputs(" <span class=\"cited\">Measured: ", html);
        markup_text(html, slot->cited);
        fputs(".</span>", html);
    }
    fputs(first ? "</details>" : "", html);
    fputs("</figcaption>\n", html);
    if (slot->svg)
        write_command(slot, runs, count, html);
    fputs("</figure>\n", html);
}
