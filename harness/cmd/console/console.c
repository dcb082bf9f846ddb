/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/console.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "harness/command/command.h"
#include "harness/plugin/name_filter.h"
#include "platforms/clock/clock.h"
#include "reports/page/report.h"
#include "results/records/record.h"
#include "results/text/text_escape.h"

static bool complained;

bool has_complained(void)
{
    return complained;
}

int complain(int exit_code, const char *command, const char *format, ...)
{
    va_list arguments;
    char text[8192], visible[8192]; /* a path or two, and what is said of them */
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, command && *command ? "kneepoint %s: " : "kneepoint: ", command);
    fprintf(stderr, "%s\n", text_escape(text, visible, sizeof visible));
    complained = complained || exit_code == EXIT_USAGE;
    return exit_code;
}

void complain_of_damage(const char *command, const char *run, const struct run_damage *damage)
{
    if (damage->empty)
        complain(0, command, "%s: it holds no record", run);
    if (damage->truncated)
        complain(0, command, "%s: the last line was cut off and is left out", run);
    if (damage->bad_lines)
        complain(0, command, "%s: %zu damaged line%s left out", run, damage->bad_lines,
                 damage->bad_lines == 1 ? " is" : "s are");
}

int complain_of_no_run(const char *command, int error, const char *results, const char *purpose, const char *names)
{
    return complain(EXIT_USAGE, command, "no run%s below %s%s; measure one with `kneepoint characterize`, or %s",
                    error == -EXDEV ? " but of emulated machines" : "", results, purpose, names);
}

int print_record(const char *command, json_t *record)
{
    int error = record ? record_write_line(stdout, record) : -ENOMEM;
    json_decref(record);
    if (!error)
        return EXIT_DONE;
    return complain(EXIT_USAGE, command, "cannot write to standard output: %s", strerror(-error));
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

/** The options of a command that --help lists, and those of argp itself. */
static void consider_options(struct nearest_name *nearest, const struct argp *argp)
{
    for (const struct argp_option *option = argp->options; option && (option->name || option->key || option->doc);
         option++) {
        char name[NEAREST_NAME_MOST];
        if (option->name && !(option->flags & OPTION_HIDDEN))
            nearest_name_consider(nearest, name, (size_t)snprintf(name, sizeof name, "--%s", option->name));
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        consider_options(nearest, child->argp);
}

struct parsing {
    const char *command; /* "kneepoint gemv" */
    const struct argp *argp;
};

/** "; did you mean '--model'?" to a message of getopt that an option is not known, else "". */
static const char *hint_option(const struct argp *argp, const char *message, char *hint, size_t size)
{
    char given[NEAREST_NAME_MOST];
    hint[0] = 0;
    if (sscanf(message, "%*[^'] '%95[^'=]", given) != 1 || strncmp(given, "--", 2) != 0)
        return hint;
    struct nearest_name nearest = nearest_name_begin(given);
    consider_options(&nearest, argp);
    nearest_name_consider(&nearest, "--help", strlen("--help"));
    return nearest_name_hint(&nearest, hint, size);
}

/* What argp and getopt say about a wrong option arrives here in one piece, several lines of it; the first says what is
 * wrong. */
static ssize_t write_first_line(void *context, const char *text, size_t length)
{
    const struct parsing *parsing = context;
    char message[1024], hint[NEAREST_NAME_MOST + 32] = "";
    const char *end = memchr(text, '\n', length);
    snprintf(message, sizeof message, "%.*s", (int)(end ? (size_t)(end - text) : length), text);
    if (strstr(message, ": unrecognized option '"))
        hint_option(parsing->argp, message, hint, sizeof hint);
    dprintf(STDERR_FILENO, "%s; `%s --help` lists the options%s\n", message, parsing->command, hint);
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

/* What --help shows of --csv and --markdown (output.h), for commands that have --json. */
enum { OPTION_CSV = 0x800, OPTION_MARKDOWN };

static const struct argp_option form_options[] = {
    {"csv", OPTION_CSV, NULL, 0, "CSV instead of text: a row per record, a column per field", 2},
    {"markdown", OPTION_MARKDOWN, NULL, 0, "Markdown instead of text: a table per type of record", 2},
    {0},
};

/** Those that are spelt out are taken before; what arrives here was shortened. */
static error_t parse_form(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != OPTION_CSV && key != OPTION_MARKDOWN)
        return ARGP_ERR_UNKNOWN;
    argp_error(state, "write --csv and --markdown out in full");
    return 0;
}

static const struct argp forms = {.options = form_options, .parser = parse_form};

enum { CHILDREN_MOST = 16 };

/** With --csv and --markdown beside --json. @param children  of the copy: those there are, and one more */
static struct argp with_forms(const struct argp *argp, struct argp_child children[CHILDREN_MOST])
{
    struct argp copy = *argp;
    size_t count = 0;
    for (; argp->children && argp->children[count].argp; count++)
        children[count] = argp->children[count];
    children[count] = (struct argp_child){.argp = &forms};
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
    struct parsing parsing = {argv[0], &whole};
    FILE *one_line = fopencookie(&parsing, "w", (cookie_io_functions_t){.write = write_first_line});
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

/** "?" of what is not known yet, "1:30" of minutes and seconds, "45 s" of less than one, "2 h 05" of hours. */
static const char *left_text(double seconds, char *text, size_t size)
{
    unsigned long whole = isfinite(seconds) && seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;
    if (!isfinite(seconds))
        snprintf(text, size, "?");
    else if (whole < 60)
        snprintf(text, size, "%lu s", whole);
    else if (whole < 3600)
        snprintf(text, size, "%lu:%02lu", whole / 60, whole % 60);
    else
        snprintf(text, size, "%lu h %02lu", whole / 3600, whole % 3600 / 60);
    return text;
}

/** Columns of the terminal that standard error is. */
static int error_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

static void draw_bar(const struct progress *progress, double done, const char *left, const char *now)
{
    enum { BAR = 24 };
    char line[512];
    int filled = (int)(done * BAR + 0.5);
    snprintf(line, sizeof line, "%s [%.*s%.*s] %3.0f%%, %s left: %s", progress->what, filled,
             "########################", BAR - filled, "........................", 100 * done, left, now);
    fprintf(stderr, "\r\033[K%.*s", error_columns() - 1, line); /* a line that wraps could not be taken back */
}

void progress_update(struct progress *progress, double done_fraction, double remaining_s, const char *now)
{
    double time = clock_monotonic_s(), done = fmin(1, fmax(0, done_fraction));
    double period = progress->terminal ? 0.2 : 10.0;
    char left[32];
    if (!progress->drawn && !progress->terminal && time - progress->started_s < period)
        return; /* what is short says nothing */
    if (progress->drawn && time - progress->last_s < period)
        return;
    progress->last_s = time;
    progress->drawn = true;
    left_text(remaining_s, left, sizeof left);
    if (progress->terminal)
        draw_bar(progress, done, left, now);
    else
        fprintf(stderr, "%s %3.0f%%, %s left: %s\n", progress->what, 100 * done, left, now);
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->terminal && progress->drawn)
        fputs("\r\033[K", stderr);
}

void progress_say(struct progress *progress, const char *line)
{
    if (!progress->terminal && !progress->drawn)
        return;
    progress_end(progress);
    fprintf(stderr, "%s\n", line);
    fflush(stderr);
}

/** Of less of the work nothing follows for the rest. */
static const double PACE_KNOWN = 0.03;

void progress_part_show(void *context, double fraction, const char *now)
{
    struct progress_part *part = context;
    double done = part->begin_fraction + fraction * (part->end_fraction - part->begin_fraction);
    double elapsed = clock_monotonic_s() - part->progress.started_s;
    progress_update(&part->progress, done, done > PACE_KNOWN ? elapsed * (1 - done) / done : (double)NAN, now);
}
