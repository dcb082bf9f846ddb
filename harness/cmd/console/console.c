/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/console.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cmd/console/output.h"
#include "harness/command.h"
#include "platforms/clock.h"
#include "reports/page/report.h"
#include "results/controls.h"
#include "results/record.h"

int complain(int exit_code, const char *command, const char *format, ...)
{
    va_list arguments;
    char text[8192], visible[8192]; /* a path or two, and what is said of them */
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, command && *command ? "kneepoint %s: " : "kneepoint: ", command);
    fprintf(stderr, "%s\n", controls_escape(text, visible, sizeof visible));
    return exit_code;
}

void complain_of_damage(const char *command, const char *run, const struct run_damage *damage)
{
    if (damage->empty)
        complain(0, command, "%s: there is no record in it", run);
    if (damage->truncated)
        complain(0, command, "%s: the last line was cut off and is left out", run);
    if (damage->bad_lines)
        complain(0, command, "%s: %zu damaged line%s left out", run, damage->bad_lines,
                 damage->bad_lines == 1 ? " is" : "s are");
}

int print_record(const char *command, json_t *record)
{
    int error = record ? record_write_line(stdout, record) : -ENOMEM;
    json_decref(record);
    if (!error)
        return EXIT_DONE;
    return complain(EXIT_USAGE, command, "cannot write to standard output: %s", strerror(-error));
}

void print_number(double value, int width, int digits, const char *unit)
{
    if (isfinite(value))
        printf(" %*.*f%s", width, digits, value, unit);
    else
        printf(" %*s%*s", width, "-", (int)strlen(unit), "");
}

int print_report(const char *command, bool json, const char *run, const char *folder)
{
    char path[4352];
    snprintf(path, sizeof path, "%s/%s", folder, REPORT_FILE);
    if (json)
        return print_record(command, json_pack("{s:s, s:s, s:s, s:s}", "type", "report", "name", REPORT_FILE, "run",
                                               run, "path", path));
    puts(path);
    return EXIT_DONE;
}

/* What argp and getopt say about a wrong option arrives here in one piece, several lines of it; the first says what is
 * wrong. */
static ssize_t write_first_line(void *command, const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    dprintf(STDERR_FILENO, "%.*s; `%s --help` lists the options\n", (int)(end ? (size_t)(end - text) : length), text,
            (const char *)command);
    return (ssize_t)length;
}

static bool has_option(const struct argp *argp, const char *name)
{
    for (const struct argp_option *option = argp->options; option && (option->name || option->key || option->doc);
         option++) {
        if (option->name && strcmp(option->name, name) == 0)
            return true;
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++) {
        if (has_option(child->argp, name))
            return true;
    }
    return false;
}

enum { CHILDREN_MOST = 16 };

/** With --csv and --markdown beside --json. @param children  of the copy: those there are, and one more */
static struct argp with_forms(const struct argp *argp, struct argp_child children[CHILDREN_MOST])
{
    struct argp copy = *argp;
    size_t count = 0;
    for (; argp->children && argp->children[count].argp; count++)
        children[count] = argp->children[count];
    children[count] = (struct argp_child){.argp = &output_argp};
    children[count + 1] = (struct argp_child){0};
    if (has_option(argp, "json") && !has_option(argp, "csv"))
        copy.children = children;
    return copy;
}

int parse_options(const struct argp *argp, int argc, char **argv, void *input)
{
    struct argp_child children[CHILDREN_MOST];
    const struct argp whole = with_forms(argp, children);

    /* Both write to stderr and argp then exits, which flushes this stream. */
    FILE *real_stderr = stderr;
    FILE *one_line = fopencookie(argv[0], "w", (cookie_io_functions_t){.write = write_first_line});
    if (one_line)
        stderr = one_line;
    argp_err_exit_status = EXIT_USAGE;
    int error = argp_parse(&whole, argc, argv, 0, NULL, input);
    stderr = real_stderr;
    if (one_line)
        fclose(one_line);
    return error ? EXIT_USAGE : 0;
}

bool console_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) && !(terminal && strcmp(terminal, "dumb") == 0);
}

const char *console_bold(void)
{
    return console_colour() ? "\033[1m" : "";
}

const char *console_plain(void)
{
    return console_colour() ? "\033[0m" : "";
}

void progress_begin(struct progress *progress, const char *what)
{
    *progress = (struct progress){.what = what, .started_s = clock_monotonic_s(), .terminal = isatty(STDERR_FILENO)};
}

void progress_update(struct progress *progress, double done_fraction, double remaining_s, const char *now)
{
    double time = clock_monotonic_s();
    double period = progress->terminal ? 0.2 : 10.0;
    if (progress->drawn && time - progress->last_s < period)
        return;
    progress->last_s = time;
    progress->drawn = true;
    fprintf(stderr, "%s%s %3.0f%%, %.0f s left: %s%s", progress->terminal ? "\r\033[K" : "", progress->what,
            100 * done_fraction, remaining_s > 0 ? remaining_s : 0, now, progress->terminal ? "" : "\n");
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->terminal && progress->drawn)
        fputs("\r\033[K", stderr);
}
