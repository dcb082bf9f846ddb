/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/draw/figure.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "harness/plugin/name_filter.h"
#include "reports/draw/frames/machine_rows.h"
#include "reports/page/report.h"
#include "reports/select/machines/reference_platforms.h"
#include "reports/select/run/peers.h"
#include "results/records/run.h"
#include "results/text/words.h"

struct options {
    const char *run, *results, *output, *image;
    const char *names[FIGURES_MAX];
    size_t name_count;
    const char *former_format;           /* image, given as --format; NULL */
    const char *runs[MACHINE_ROWS_RUNS]; /* as given; run is the first */
    size_t run_count;
    const char *platforms[REFERENCE_PLATFORMS_MAX];
    size_t platform_count;
    bool column, json, needs_run;
};

enum { KEY_RUN = 1000, KEY_RESULTS, KEY_IMAGE, KEY_FORMAT, KEY_PLATFORM, KEY_COLUMN };

static const struct argp_option options[] = {
    {"run", KEY_RUN, "DIR", 0, "Run to draw (default: the newest); may be repeated for figures of several machines", 0},
    {"results", KEY_RESULTS, "DIR", 0, "Folder in which the newest run is looked for (default: results)", 0},
    {"platform", KEY_PLATFORM, "NAME|FILE", 0,
     "A described machine to show with the run; may be repeated, or give several separated by commas", 0},
    {"output", 'o', "DIR", 0,
     "Folder for the picture, its .gp, .dat and .txt (default: RUN/report, without a run figures)", 0},
    {"image", KEY_IMAGE, "TYPE", 0, "Type of picture: svg (default), png, pdf or tex; tex is for \\input in LaTeX", 0},
    {"format", KEY_FORMAT, "TYPE", OPTION_HIDDEN, NULL, 0}, /* until 0.3.0 */
    {"column", KEY_COLUMN, NULL, 0, "For a column of a paper: 3.5 inches wide, with letters to match and no heading",
     0},
    {"json", 'j', NULL, 0, "Print {\"type\":\"figure\",…} instead of the path", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *given = state->input;
    switch (key) {
    case KEY_RUN:
        if (given->run_count == MACHINE_ROWS_RUNS)
            argp_error(state, "--run '%s' is one too many; at most %d", argument, MACHINE_ROWS_RUNS);
        given->runs[given->run_count++] = argument;
        given->run = given->runs[0];
        return 0;
    case KEY_RESULTS: given->results = argument; return 0;
    case 'o': given->output = argument; return 0;
    case KEY_FORMAT: given->former_format = argument; __attribute__((fallthrough));
    case KEY_IMAGE: given->image = argument; return 0;
    case KEY_PLATFORM:
        if (given->platform_count == REFERENCE_PLATFORMS_MAX)
            argp_error(state, "--platform '%s' is one too many; at most %d", argument, REFERENCE_PLATFORMS_MAX);
        given->platforms[given->platform_count++] = argument;
        return 0;
    case KEY_COLUMN: given->column = true; return 0;
    case 'j': given->json = true; return 0;
    case ARGP_KEY_ARG:
        if (given->name_count == FIGURES_MAX)
            argp_error(state, "figure '%s' is one too many; at most %d", argument, FIGURES_MAX);
        given->names[given->name_count++] = argument;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "NAME...",
    .doc = "Draw figures of a run or of described machines, each with its gnuplot script, its data and a caption.",
};

/* Names of all figures, for a message. */
static void list_names(char *text, size_t size)
{
    const struct figure *figures[FIGURES_MAX];
    size_t count = figure_list(figures, FIGURES_MAX);
    text[0] = 0;
    for (size_t i = 0; i < count; i++)
        words_add(text, size, "%s", figures[i]->name);
}

static int refuse_figure(const char *name, const char *names)
{
    const struct figure *figures[FIGURES_MAX];
    struct nearest_name nearest = nearest_name_begin(name);
    char hint[NEAREST_NAME_MOST + 32];
    for (size_t i = 0, count = figure_list(figures, FIGURES_MAX); i < count; i++)
        nearest_name_consider(&nearest, figures[i]->name, strlen(figures[i]->name));
    return complain(EXIT_USAGE, "figure", "unknown figure '%s'; there are %s%s", name, names,
                    nearest_name_hint(&nearest, hint, sizeof hint));
}

static void print_path(const struct options *given, const struct figure *figure, const char *folder)
{
    char path[4352];
    snprintf(path, sizeof path, "%s/%s.%s", folder, figure->name, given->image);
    if (!given->json) {
        puts(path);
        return;
    }
    json_t *record =
        json_pack("{s:s, s:s, s:s?, s:s}", "type", "figure", "name", figure->name, "run", given->run, "path", path);
    json_dumpf(record, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(record);
}

/* Whether -o names a picture, which would become a folder of that name. */
static bool names_picture(const char *output)
{
    const char *suffix = strrchr(output, '.');
    struct stat status;
    return suffix && figure_format_known(suffix + 1) && (stat(output, &status) != 0 || !S_ISDIR(status.st_mode));
}

/* The records of the run, or none for a figure of described machines alone. */
static int read_records(const struct options *given, struct run_records *records, char *why, size_t size)
{
    if (given->run)
        return run_read(given->run, records, why, size);
    *records = (struct run_records){.meta = json_object(), .records = json_array()};
    return 0;
}

static int draw_view(const struct options *given, const struct figure *figure, const struct view *view,
                     const char *folder, char *why, size_t size)
{
    char missing[512];
    if (given->column && *view_emulator(view)) {
        snprintf(why, size,
                 "%s: %s is of a machine that %s emulates, and a column has no heading to say so; leave --column out",
                 figure->name, given->run, view_emulator(view));
        return -EXDEV;
    }
    /* Missing records are an error before a folder is made. */
    if (figure_missing(figure, view, missing, sizeof missing)) {
        snprintf(why, size, "%s: %s holds %s", figure->name, given->run, missing);
        return -ENODATA;
    }
    int error = report_make_folder(folder, why, size);
    return error ? error
                 : figure_draw(figure, view, folder,
                               &(struct figure_form){.format = given->image, .narrow = given->column}, why, size);
}

/* A picture has no room to say it. */
static void warn_of_bad_lines(const struct options *given, const struct run_records *records)
{
    const struct run_damage damage = {.truncated = records->truncated};
    complain_of_damage("figure", given->run, &damage);
    if (records->bad_lines)
        complain(0, "figure", "%s: line %zu of records.jsonl is wrong (%s)%s; the rest is drawn", given->run,
                 records->first_bad_line, records->first_bad_reason, records->bad_lines > 1 ? ", and others, too" : "");
}

/* The runs of a figure, read. */
struct opened {
    struct run_records records[MACHINE_ROWS_RUNS];
    struct view views[MACHINE_ROWS_RUNS];
    size_t count;
};

static void close_runs(struct opened *opened)
{
    for (size_t i = 0; i < opened->count; i++) {
        view_close(&opened->views[i]);
        run_records_free(&opened->records[i]);
    }
}

static int open_run(struct options *given, const char *path, struct opened *opened)
{
    char why[1024];
    struct run_records *records = &opened->records[opened->count];
    given->run = path;
    if (read_records(given, records, why, sizeof why))
        return complain(EXIT_USAGE, "figure", "%s", why);
    warn_of_bad_lines(given, records);
    if (given->run_count > 1 && run_needs_machine(path, records, why, sizeof why)) {
        run_records_free(records);
        return complain(EXIT_INCOMPARABLE, "figure", "%s", why);
    }
    peers_rename(records->records);
    if (view_open(path ? path : "", records, &opened->views[opened->count])) {
        run_records_free(records);
        return complain(EXIT_USAGE, "figure", "not enough memory to read %s", path ? path : "the platforms");
    }
    opened->count++;
    return EXIT_DONE;
}

/* One that cannot be drawn does not keep the others from it. */
static int draw_each(const struct options *given, const struct view *view, const char *folder)
{
    char why[1024];
    int code = EXIT_DONE;
    for (size_t i = 0; i < given->name_count; i++) {
        const struct figure *figure = figure_find(given->names[i]);
        if (draw_view(given, figure, view, folder, why, sizeof why))
            code = complain(EXIT_USAGE, "figure", "%s", why);
        else
            print_path(given, figure, folder);
    }
    return code;
}

static int draw(struct options *given, const struct reference_platforms *platforms, const char *folder)
{
    struct opened opened = {.count = 0};
    const char *first = given->run;
    int code = open_run(given, first, &opened);
    for (size_t i = 1; !code && i < given->run_count; i++)
        code = open_run(given, given->runs[i], &opened);
    given->run = first;
    if (!code) {
        struct view view = opened.views[0];
        view.platforms = platforms->of;
        view.platform_count = platforms->count;
        view.runs = opened.views;
        view.run_count = opened.count;
        code = draw_each(given, &view, folder);
    }
    close_runs(&opened);
    return code;
}

/* Open the machines, draw, let go of them. */
static int draw_with_platforms(struct options *given, const char *folder)
{
    struct reference_platforms platforms = {.count = 0};
    char why[1024];
    int error = 0;
    for (size_t i = 0; i < given->platform_count && !error; i++)
        error = reference_platforms_add(&platforms, given->platforms[i], why, sizeof why);
    int code = error ? complain(EXIT_USAGE, "figure", "%s", why) : draw(given, &platforms, folder);
    reference_platforms_free(&platforms);
    return code;
}

/* Whether each figure goes with what else was asked for, before any is drawn; its name is then as it is listed. */
static int check_names(struct options *given)
{
    char names[1024];
    list_names(names, sizeof names);
    if (!given->name_count)
        return complain(EXIT_USAGE, "figure", "which figure? There are %s", names);
    for (size_t i = 0; i < given->name_count; i++) {
        const struct figure *figure = figure_find(given->names[i]);
        if (!figure)
            return refuse_figure(given->names[i], names);
        if (given->output && names_picture(given->output))
            return complain(EXIT_USAGE, "figure",
                            "'%s' would be a folder: --output takes the folder in which %s.%s is drawn", given->output,
                            figure->name, given->image);
        if (given->platform_count && !figure->platforms)
            return complain(EXIT_USAGE, "figure", "%s shows a run alone; leave --platform out", figure->name);
        if (given->run_count > 1 && !figure->of_runs)
            return complain(EXIT_USAGE, "figure",
                            "%s shows one run; give --run once, or draw machines_knee or machines_rates", figure->name);
        given->needs_run |= figure->needs != 0;
    }
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct options given = {.results = "results", .image = "svg"};
    char newest[4096], folder[4096];
    int code = parse_options(&argp, argc, argv, &given);
    if (code)
        return code;
    if (given.former_format)
        complain(0, "figure", "--format=%s is now --image=%s; the next version does not take --format",
                 given.former_format, given.former_format);
    code = check_names(&given);
    if (code)
        return code;
    if (!figure_format_known(given.image))
        return complain(EXIT_USAGE, "figure", "--image takes svg, png, pdf or tex, not '%s'", given.image);
    if (!given.run) {
        int error = run_find_newest(given.results, newest, sizeof newest);
        if (error && given.needs_run)
            return complain_of_no_run("figure", error, given.results, "", "give --run");
        given.run = error ? NULL : newest;
    }
    if (given.output)
        snprintf(folder, sizeof folder, "%s", given.output);
    else if (!given.run)
        snprintf(folder, sizeof folder, "figures");
    else if (report_default_folder(given.run, folder, sizeof folder) != 0)
        return complain(EXIT_USAGE, "figure", "the path of the run is too long; choose a shorter --output");
    return draw_with_platforms(&given, folder);
}

const struct command command_figure = {
    .name = "figure",
    .summary = "figures of a run as SVG, PNG, PDF or LaTeX, with their .gp and .dat",
    .run = run,
};
