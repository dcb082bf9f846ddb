/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "reports/draw/markup.h"
#include "reports/page/page_sections.h"

static void write_value(const json_t *value, FILE *html)
{
    if (json_is_string(value)) {
        markup_text(html, json_string_value(value));
        return;
    }
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
    markup_text(html, text ? text : "");
    free(text);
}

static void write_row(const char *group, const char *name, const json_t *value, FILE *html)
{
    fputs("<tr><th scope=\"row\">", html);
    markup_text(html, group);
    fputs(*group ? " · " : "", html);
    markup_text(html, name);
    fputs("</th><td>", html);
    write_value(value, html);
    fputs("</td></tr>\n", html);
}

/* A hash a kernel, for programs to compare: of these only how many there are. */
static bool is_of_every_kernel(const char *key)
{
    return strcmp(key, "code") == 0;
}

/* Every key of meta.json is shown, objects one level deep, so that a new fact needs no change here. */
void page_write_provenance(const struct view *view, FILE *html)
{
    const char *key, *inner;
    json_t *value, *part;
    if (!json_object_size(view->meta)) {
        fputs("<p>This run has no meta.json: where and how it was measured is not known.</p>\n", html);
        return;
    }
    fputs("<div class=\"scroll\"><table class=\"facts\"><caption>Where and how it was measured</caption><tbody>\n",
          html);
    json_object_foreach((json_t *)view->meta, key, value)
    {
        if (!json_is_object(value)) {
            write_row("", key, value, html);
            continue;
        }
        if (is_of_every_kernel(key)) {
            char text[80];
            snprintf(text, sizeof text, "of %zu kernels, hashes in meta.json", json_object_size(value));
            json_t *said = json_string(text);
            write_row("", key, said, html);
            json_decref(said);
            continue;
        }
        json_object_foreach(value, inner, part) write_row(key, inner, part, html);
    }
    fputs("</tbody></table></div>\n", html);
}
