/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/markup.h"
#include "reports/page/page_sections.h"

static void write_command(const struct view *view, FILE *html)
{
    const json_t *command = json_object_get(view->meta, "command");
    size_t index;
    json_t *word;
    if (!json_array_size(command)) {
        fputs("kneepoint characterize", html);
        return;
    }
    json_array_foreach((json_t *)command, index, word)
    {
        fputs(index ? " " : "", html);
        markup_text(html, json_string_value(word) ? json_string_value(word) : "?");
    }
}

void page_write_reproduce(const struct view *view, FILE *html)
{
    fputs("<section id=\"reproduce\">\n<h2>Measure it again</h2>\n<pre><code>", html);
    if (*view_text(view->meta, "revision")) {
        fputs("git checkout ", html);
        markup_text(html, view_text(view->meta, "revision"));
        fputs("\nmake\n", html);
    }
    write_command(view, html);
    fputs("                  # measure again\nkneepoint report ", html);
    markup_text(html, view->path);
    fputs("       # this page, from the saved records\nkneepoint figure knee --run ", html);
    markup_text(html, view->path);
    fputs(" --image pdf\n</code></pre>\n</section>\n", html);
}
