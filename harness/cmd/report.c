/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/command/command.h"
#include "results/records/run.h"

enum { RUNS_MAX = 1024, LINES_MAX = 10 };

struct options {
    const char *runs[RUNS_MAX];
    size_t run_count;
    const char *results, *output;
    bool json;
};

enum { KEY_RESULTS = 1000 };

static const struct argp_option options[] = {
    {"results", KEY_RESULTS, "DIR", 0, "Folder in which the newest run is looked for (default: results)", 0},
    {"output", 'o', "DIR", 0,
     "Folder for index.html and the figures (default: RUN/report, of several runs RUN/report-beside)", 0},
    {"json", 'j', NULL, 0, "Print {\"type\":\"report\",…} instead of the path", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *given = state->input;
    switch (key) {
    case KEY_RESULTS: given->results = argument; return 0;
    case 'o': given->output = argument; return 0;
    case 'j': given->json = true; return 0;
    case ARGP_KEY_ARG:
        if (given->run_count == RUNS_MAX)
            argp_error(state, "at most %d runs; '%s' is one too many", RUNS_MAX, argument);
        given->runs[given->run_count++] = argument;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[RUN [RUN_B...]]",
    .doc = "Render the HTML report of a run, by default the newest, from its records alone. For several runs, render "
           "a page that compares them with the first; for four or more on the same CPU, it also shows the outliers "
           "among them. Prints the path of index.html.",
};

/* The folder of a report, by default in the first run. @return whether its path is short enough */
static bool folder_of(const struct options *given, char *folder, size_t size)
{
    if (given->output)
        return snprintf(folder, size, "%s", given->output) < (int)size;
    if (report_default_folder(given->runs[0], folder, size) != 0)
        return false;
    size_t length = strlen(folder);
    return given->run_count == 1 || snprintf(folder + length, size - length, "-beside") < (int)(size - length);
}

static int show_one(const struct options *given, const char *folder)
{
    char why[1024];
    struct run_damage damage = {0};
    int code = EXIT_DONE, error = report_render(given->runs[0], folder, &damage, why, sizeof why);
    complain_of_damage("report", given->runs[0], &damage);
    if (!error || error == -ENOPKG)
        code = print_report("report", given->json, given->runs[0], folder);
    return error ? complain(EXIT_USAGE, "report", "%s", why) : code;
}

/* The runs with most values off, a line each; one line if there is none. */
static void name_machines_off(const struct outliers *outliers)
{
    char line[1024];
    bool printed[RUNS_MAX] = {false};
    size_t off = 0;
    if (!outliers->compared)
        return;
    for (size_t i = 0; i < outliers->count; i++)
        off += outliers->runs[i].off > 0;
    if (!outliers->found_count)
        complain(EXIT_DONE, "report", "none of %zu values of %zu runs is more than %.0f MAD off", outliers->compared,
                 outliers->count, FLEET_DEVIATIONS);
    for (int lines = 0;; lines++) {
        size_t most = outliers->count;
        for (size_t i = 0; i < outliers->count; i++) {
            if (!printed[i] && outliers->runs[i].off &&
                (most == outliers->count || outliers->runs[i].off > outliers->runs[most].off))
                most = i;
        }
        if (most == outliers->count)
            return;
        if (lines == LINES_MAX) {
            complain(EXIT_DONE, "report", "and %zu more machine%s; the page has all", off - LINES_MAX,
                     off == LINES_MAX + 1 ? "" : "s");
            return;
        }
        printed[most] = true;
        outliers_line(outliers, most, line, sizeof line);
        complain(EXIT_DONE, "report", "%s", line);
    }
}

static int print_outliers(const struct outliers *outliers)
{
    int code = EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < outliers->found_count; i++)
        code = print_record("report", outlier_record(outliers, &outliers->found[i]));
    return code;
}

static int show_many(const struct options *given, const char *folder)
{
    char why[1024];
    struct outliers outliers = {0};
    struct run_damage damage[RUNS_MAX] = {0};
    int error = report_render_runs(given->runs, given->run_count, folder, &outliers, damage, why, sizeof why);
    int code = EXIT_DONE;
    for (size_t i = 0; i < given->run_count; i++)
        complain_of_damage("report", given->runs[i], &damage[i]);
    if (!error || error == -ENOPKG) {
        name_machines_off(&outliers);
        code = print_report("report", given->json, given->runs[0], folder);
        if (code == EXIT_DONE && given->json)
            code = print_outliers(&outliers);
    }
    if (error)
        code = complain(error == -ENODATA || error == -EXDEV ? EXIT_INCOMPARABLE : EXIT_USAGE, "report", "%s", why);
    outliers_free(&outliers);
    return code;
}

static int run(int argc, char **argv)
{
    struct options given = {.results = "results"};
    char newest[4096], folder[4096];
    int code = parse_options(&argp, argc, argv, &given);
    if (code)
        return code;
    if (!given.run_count) {
        int error = run_find_newest(given.results, newest, sizeof newest);
        if (error)
            return complain_of_no_run("report", error, given.results, "", "name its folder");
        given.runs[given.run_count++] = newest;
    }
    if (!folder_of(&given, folder, sizeof folder))
        return complain(EXIT_USAGE, "report", "the path of the report is too long; choose a shorter --output");
    return given.run_count == 1 ? show_one(&given, folder) : show_many(&given, folder);
}

const struct command command_report = {
    .name = "report",
    .summary = "HTML report and figures of a run",
    .run = run,
};
