/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/command.h"
#include "harness/console.h"
#include "results/run.h"

struct options {
    const char *run, *results, *output;
    bool json;
};

enum { KEY_RESULTS = 1000, KEY_JSON };

static const struct argp_option options[] = {
    {"results", KEY_RESULTS, "DIR", 0, "Folder in which the newest run is looked for (default: results)", 0},
    {"output", 'o', "DIR", 0, "Folder for index.html and the figures (default: RUN/report)", 0},
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
        if (given->run)
            argp_error(state, "one run at a time; '%s' is a second", argument);
        given->run = argument;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[RUN]",
    .doc = "Render the HTML report of a run, by default the newest, from its records alone. Prints the path of "
           "index.html.",
};

static int run(int argc, char **argv)
{
    struct options given = {.results = "results"};
    char newest[4096], folder[4096], why[1024];
    int code = parse_options(&argp, argc, argv, &given);
    if (code)
        return code;
    if (!given.run) {
        if (run_find_newest(given.results, newest, sizeof newest) != 0)
            return complain(EXIT_USAGE, "report",
                            "no run below %s; measure one with `kneepoint characterize`, or name its folder",
                            given.results);
        given.run = newest;
    }
    if (given.output)
        snprintf(folder, sizeof folder, "%s", given.output);
    else if (report_default_folder(given.run, folder, sizeof folder) != 0)
        return complain(EXIT_USAGE, "report", "the path of the run is too long; choose a shorter --output");

    int error = report_render(given.run, folder, why, sizeof why);
    if (!error || error == -ENOPKG)
        code = print_report("report", given.json, given.run, folder);
    return error ? complain(EXIT_USAGE, "report", "%s", why) : code;
}

const struct command command_report = {
    .name = "report",
    .summary = "HTML report and figures of a run",
    .run = run,
};
