/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "platforms/cpu/emulator.h"
#include "reports/draw/markup.h"
#include "reports/page/page_sections.h"

static void write_notice(FILE *html, const char *text)
{
    fputs("<p class=\"notice\">", html);
    markup_text(html, text);
    fputs("</p>\n", html);
}

/* With the command that measures what is missing. */
static void write_unfinished(const struct view *view, FILE *html, const char *text)
{
    fputs("<p class=\"notice\">", html);
    markup_text(html, text);
    fputs(" <code>kneepoint characterize --resume=", html);
    markup_text(html, view->path);
    fputs("</code> continues it.</p>\n", html);
}

void page_write_alarms(const struct view *view, FILE *html)
{
    char text[320];
    if (view_flag(view->meta, "synthetic"))
        write_notice(
            html,
            "Synthetic run: these records were made up by a program to test the report. Nothing here was measured.");
    if (*view_emulator(view)) {
        snprintf(text, sizeof text, "Emulated run: " EMULATOR_NO_SPEED ". Of what %s executes " EMULATOR_MEANS ".",
                 view_emulator(view));
        write_notice(html, text);
    }
    if (!view->end)
        write_unfinished(view, html,
                         "This run did not finish (killed, or still running): the summaries written so far are "
                         "shown.");
    else if (view_flag(view->end, "interrupted"))
        write_unfinished(view, html, "This run was interrupted. What was measured before that is shown.");
    else if (!view_flag(view->end, "complete"))
        write_unfinished(view, html, "This run is incomplete: its budget ran out. What was measured is shown.");
}

void page_write_notices(const struct view *view, FILE *html)
{
    char text[512];
    double unsettled = view_number(view->end, "cells_unsettled");
    if (unsettled > 0) {
        snprintf(text, sizeof text,
                 "%.0f cell%s could not be settled: the machine was too busy, and fewer than 6 samples were kept.",
                 unsettled, unsettled == 1 ? "" : "s");
        write_notice(html, text);
    }
    if (view->records->truncated)
        write_notice(html, "The last line of records.jsonl was cut off and is left out.");
    if (view->records->bad_lines) {
        const char *reason = view->records->first_bad_reason;
        snprintf(text, sizeof text, "%zu line%s of records.jsonl %s wrong and left out; the first is line %zu%s%s.",
                 view->records->bad_lines, view->records->bad_lines == 1 ? "" : "s",
                 view->records->bad_lines == 1 ? "is" : "are", view->records->first_bad_line, *reason ? ": " : "",
                 reason);
        write_notice(html, text);
    }
    if (view_flag(view->meta, "dirty"))
        write_notice(html, "Measured by a build with uncommitted changes.");
    const char *left_out = view_text(view->meta, "left_out");
    if (*left_out) {
        snprintf(text, sizeof text, "Left out of this run since it was measured: %s.", left_out);
        write_notice(html, text);
    }
}
