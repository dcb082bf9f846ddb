/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/markup.h"
#include "reports/page/page_sections.h"

/* The records have "kneepoint" for whatever program it was; after make it is in the folder build. */
static void write_command(const struct view *view, bool built, FILE *html)
{
    const json_t *command = json_object_get(view->meta, "command");
    size_t index;
    json_t *word;
    fputs(built ? "build/" : "", html);
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
    const bool built = *view_text(view->meta, "revision");
    const char *program = built ? "build/kneepoint" : "kneepoint";
    fputs("<section id=\"reproduce\">\n<h2>Measure it again</h2>\n", html);
    if (built)
        fputs(
            "<p>Where Kneepoint is not installed, write <code>build/kneepoint</code>, in the tree that it was built in, "
            "for <code>kneepoint</code> in every command of this page.</p>\n",
            html);
    fputs("<pre><code>", html);
    if (built) {
        fputs("git checkout ", html);
        markup_text(html, view_text(view->meta, "revision"));
        fputs("\nmake\n", html);
    }
    write_command(view, built, html);
    fprintf(html, "                  # measure again\n%s report ", program);
    markup_text(html, view->path);
    fprintf(html, "       # this page, from the saved records\n%s figure knee --run ", program);
    markup_text(html, view->path);
    fputs(" --image pdf\n</code></pre>\n</section>\n", html);
}
