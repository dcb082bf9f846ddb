/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/command.h"
#include "harness/console.h"
#include "reports/side_by_side.h"
#include "results/run.h"

struct options {
    const char *runs[SIDE_BY_SIDE_MAX];
    size_t run_count;
    const char *results, *output;
    bool json;
};

enum { KEY_RESULTS = 1000, KEY_JSON };

static const struct argp_option options[] = {
    {"results", KEY_RESULTS, "DIR", 0, "Folder in which the newest run is looked for (default: results)", 0},
    {"output", 'o', "DIR", 0,
     "Folder for index.html and the figures (default: RUN/report, of several runs RUN/report-beside)", 0},
    {"json", KEY_JSON, NULL, 0, "Print {\"type\":\"report\",…} instead of the path", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *given = state->input;
    switch (key) {
    case KEY_RESULTS: given->results = argument; return 0;
    case 'o': given->output = argument; return 0;
    case KEY_JSON: given->json = true; return 0;
    case ARGP_KEY_ARG:
        if (given->run_count == SIDE_BY_SIDE_MAX)
            argp_error(state, "at most %d runs side by side; '%s' is one more", SIDE_BY_SIDE_MAX, argument);
        given->runs[given->run_count++] = argument;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[RUN [RUN_B...]]",
    .doc = "Render the HTML report of a run, by default the newest, from its records alone. Of several "
           "runs, a page that holds them against the first. Prints the path of index.html.",
};

/* The folder of a report, by default beside the first run. @return whether its path is short enough */
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
    int code = EXIT_DONE, error = report_render(given->runs[0], folder, why, sizeof why);
    if (!error || error == -ENOPKG)
        code = print_report("report", given->json, given->runs[0], folder);
    return error ? complain(EXIT_USAGE, "report", "%s", why) : code;
}

static int show_beside(const struct options *given, const char *folder)
{
    char why[1024];
    int error = report_render_beside(given->runs, given->run_count, folder, why, sizeof why);
    if (error)
        return complain(error == -ENODATA ? EXIT_INCOMPARABLE : EXIT_USAGE, "report", "%s", why);
    return print_report("report", given->json, given->runs[0], folder);
}

static int run(int argc, char **argv)
{
    struct options given = {.results = "results"};
    char newest[4096], folder[4096];
    int code = parse_options(&argp, argc, argv, &given);
    if (code)
        return code;
    if (!given.run_count) {
        if (run_find_newest(given.results, newest, sizeof newest) != 0)
            return complain(EXIT_USAGE, "report",
                            "no run below %s; measure one with `kneepoint characterize`, or name its folder",
                            given.results);
        given.runs[given.run_count++] = newest;
    }
    if (!folder_of(&given, folder, sizeof folder))
        return complain(EXIT_USAGE, "report", "the path of the report is too long; choose a shorter --output");
    return given.run_count == 1 ? show_one(&given, folder) : show_beside(&given, folder);
}

const struct command command_report = {
    .name = "report",
    .summary = "HTML report and figures of a run",
    .run = run,
};
