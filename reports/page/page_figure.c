/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/page_sections.h"

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\n");
}

/* gnuplot begins a group at each change of its pen and writes a text for each tic without one; most stay empty.
 * @return what follows a group without content; NULL if this is none */
static const char *after_empty_group(const char *at)
{
    static const char text[] = "<text></text>", close[] = "</g>";
    const char *end = strncmp(at, "<g ", 3) == 0 ? strchr(at, '>') : NULL;
    if (!end)
        return NULL;
    end = skip_blanks(end + 1);
    if (strncmp(end, text, sizeof text - 1) == 0)
        end = skip_blanks(end + sizeof text - 1);
    return strncmp(end, close, sizeof close - 1) == 0 ? skip_blanks(end + sizeof close - 1) : NULL;
}

static bool begins(const char *at, const char *text)
{
    return strncmp(at, text, strlen(text)) == 0;
}

/* What is so without being said: defaults of SVG, the page's font and ink, blanks, a hundredth of a pixel.
 * @return how long it is; 0: none */
static size_t said_for_nothing(const char *at, const char *begin)
{
    static const char *const defaults[] = {" stroke-linecap=\"butt\"", " stroke-linejoin=\"miter\"",
                                           " font-family=\"sans\"", " class=\"gridline\"", " color=\"black\""};
    bool decimals = at > begin + 1 && isdigit((unsigned char)at[-1]) && *at == '.' && isdigit((unsigned char)at[1]) &&
                    isdigit((unsigned char)at[2]) && !isdigit((unsigned char)at[3]);
    if (decimals && begins(at, ".00"))
        return 3;
    if (at > begin + 2 && isdigit((unsigned char)*at) && !isdigit((unsigned char)at[1]) &&
        isdigit((unsigned char)at[-1]) && at[-2] == '.')
        return 1;
    for (size_t i = 0; *at == ' ' && i < sizeof defaults / sizeof *defaults; i++) {
        if (begins(at, defaults[i]))
            return strlen(defaults[i]);
    }
    return begins(at, "  '/>") ? 2 : *at == '\t' || begins(at, "  d='") ? 1 : 0;
}

/* A tag without what it says for nothing, up to its end. */
static const char *write_tag(const char *at, FILE *html)
{
    const char *begin = at;
    while (*at && *at != '>') {
        size_t idle = said_for_nothing(at, begin);
        if (!idle)
            fputc(*at++, html);
        at += idle;
    }
    return at;
}

/* Without what is not seen. */
static void write_compact(const char *at, FILE *html)
{
    while (*at) {
        const char *after = after_empty_group(at);
        if (after) {
            at = after;
            continue;
        }
        if (*at == '<')
            at = write_tag(at, html);
        size_t length = strcspn(at, "<");
        if (length == 1 + strspn(at + 1, " \t\n"))
            fputs(*at == '>' ? ">" : "", html);
        else
            fwrite(at, 1, length, html);
        at += length;
    }
}

/* The picture from its <svg> on: an HTML page takes no XML prologue. Its own title is left out, since browsers would
 * show it wherever the pointer meets no value; what it shows is said by its name and caption. */
static void write_svg(const char *svg, const char *title, FILE *html)
{
    const char *begin = strstr(svg, "<svg"), *own = begin ? strstr(begin, "<title>") : NULL,
               *after = own ? strstr(own, "</title>") : NULL;
    fputs("<div class=\"picture\">", html);
    if (begin) {
        fputs("<svg role=\"img\" aria-label=\"", html);
        markup_text(html, title);
        fputs("\"", html);
        begin += strlen("<svg");
    }
    if (after && own < strstr(begin, "<g ")) {
        fwrite(begin, 1, (size_t)(own - begin), html);
        begin = after + strlen("</title>");
    }
    write_compact(begin ? begin : "", html);
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
        fprintf(html,
                " <span class=\"files\">Drawn again by <code>gnuplot %s.gp</code>, from <code>%s.dat</code>.</span>",
                slot->figure->name, slot->figure->name);
    fputs(first ? "</details>" : "", html);
    fputs("</figcaption>\n</figure>\n", html);
}
