/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/compare/compare_command.h"
#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "results/files/file_replace.h"
#include "results/files/need.h"

static const char command_name[] = "compare";

static int exit_of(const struct compare_report *report)
{
    enum compare_verdict overall = verdict_overall(report);
    return overall == COMPARE_FAILED ? EXIT_CHECK_FAILED : overall == COMPARE_PASSED ? EXIT_DONE : EXIT_INCONCLUSIVE;
}

static int write(const struct compare_report *report, const struct compare_options *options, enum verdict_format format,
                 FILE *stream)
{
    const bool shown = stream == stdout;
    const struct table_style style = {.width = !shown || options->view.wide ? 0 : console_columns(),
                                      .colour = shown && console_colour(),
                                      .sort = options->view.sort};
    return format == VERDICT_TEXT ? compare_write_text(report, &style, stream) : verdict_write(report, format, stream);
}

static int write_file(const struct compare_report *report, const struct compare_options *options)
{
    char *text = NULL, why[1024];
    size_t length = 0;
    FILE *stream = need_stream(&text, &length);
    int error = stream ? write(report, options, options->format, stream) : -ENOMEM;
    if (stream)
        need_close(stream);
    if (error)
        snprintf(why, sizeof why, "no memory left to write %s", options->output);
    else
        error = file_replace(options->output, text, length, why, sizeof why);
    free(text);
    return error ? complain(EXIT_USAGE, command_name, "%s", why) : EXIT_DONE;
}

/** Write it in every form that was asked for; what cannot be compared has no table for people. @return exit code */
int compare_print(const struct compare_report *report, const struct compare_options *options)
{
    char how[2048];
    int code = options->output ? write_file(report, options) : EXIT_DONE;
    if (code)
        return code;
    bool incomparable = verdict_incomparable(report, how, sizeof how);
    enum verdict_format format = options->output ? VERDICT_TEXT : options->format;
    int error = incomparable && format == VERDICT_TEXT ? 0 : write(report, options, format, stdout);
    if (error)
        return complain(EXIT_USAGE, command_name, "cannot write to standard output: %s", strerror(-error));
    if (incomparable)
        return complain(EXIT_INCOMPARABLE, command_name, "%s%s", how,
                        verdict_cannot_fail(report) ? "" : "; --allow=WHAT compares anyway");
    return exit_of(report);
}
