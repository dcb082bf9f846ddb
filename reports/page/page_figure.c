/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/page.h"

/* The picture from its <svg> on: an HTML page takes no XML prologue. Its own title is left out, since browsers would
 * show it wherever the pointer meets no value. */
static void write_svg(const char *svg, FILE *html)
{
    const char *begin = strstr(svg, "<svg"), *title = begin ? strstr(begin, "<title>") : NULL,
               *after = title ? strstr(title, "</title>") : NULL;
    fputs("<div class=\"picture\">", html);
    if (after && title < strstr(begin, "<g ")) {
        fwrite(begin, 1, (size_t)(title - begin), html);
        begin = after + strlen("</title>");
    }
    fputs(begin ? begin : "", html);
    fputs("</div>\n", html);
}

void page_write_figure(const struct page_figure *slot, FILE *html)
{
    fprintf(html, "<figure id=\"figure-%s\">\n", slot->figure->name);
    if (slot->svg) {
        write_svg(slot->svg, html);
    } else {
        fputs("<p class=\"absent\">", html);
        markup_text(html, slot->why);
        fputs("</p>\n", html);
    }
    fputs("<figcaption><strong>", html);
    markup_text(html, slot->figure->title);
    fputs(".</strong> ", html);
    markup_text(html, slot->figure->caption);
    if (slot->svg)
        fprintf(html,
                " <span class=\"files\">Drawn again by <code>gnuplot %s.gp</code>, from <code>%s.dat</code>.</span>",
                slot->figure->name, slot->figure->name);
    fputs("</figcaption>\n</figure>\n", html);
}
