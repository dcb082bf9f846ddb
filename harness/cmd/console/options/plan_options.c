/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/options/plan_options.h"

#include <math.h>
#include <stdio.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/command/command.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plugin/name_argument.h"
#include "results/text/words.h"

enum { OPTION_BUDGET = 0x300, OPTION_FOR, OPTION_SIZE, OPTION_ONLY };

static const struct argp_option option_table[] = {
    {"budget", OPTION_BUDGET, "TIME", 0,
     "Time to measure in seconds, or as 5m or 2h; or full: every cell, however long it takes (default: 100)", 0},
    {"size", OPTION_SIZE, "MB", 0,
     "Write at most this many megabytes of records per process, for runs that are committed (default: no limit)", 0},
    {"for", OPTION_FOR, "PURPOSE", 0,
     "Purpose of the run: machine, to characterize one (default), or compare, a short list of cells in several blocks",
     0},
    {"only", OPTION_ONLY, "NAME", 0,
     "Of all kernels and sequences measure only those of this name or pattern, and the roofs; may be repeated", 0},
    {0},
};

static const struct purpose *named(const char *name, struct argp_state *state)
{
    char names[256] = "";
    const struct purpose *purpose = purpose_find(name);
    for (const struct purpose *const *at = purpose_all(); *at; at++)
        words_add(names, sizeof names, "%s", (*at)->name);
    if (!purpose)
        argp_error(state, "--for is one of %s, not '%s'", names, name);
    return purpose;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct plan_options *options = state->input;
    switch (key) {
    case OPTION_BUDGET:
        option_seconds(argument, true, "--budget", state);
        options->budget = argument;
        return 0;
    case OPTION_SIZE:
        options->bytes = budget_parse_size(argument);
        if (isnan(options->bytes))
            argp_error(state, "--size takes megabytes such as 4.5, not '%s'", argument);
        options->size = argument;
        return 0;
    case OPTION_FOR: options->purpose = named(argument, state); return 0;
    case OPTION_ONLY:
        if (options->name_count == PLAN_ONLY_MOST)
            argp_error(state, "--only can be given %d times at most", PLAN_ONLY_MOST);
        options->names[options->name_count++] = argument;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp plan_argp = {.options = option_table, .parser = parse};

double plan_options_settle(struct plan_options *options)
{
    if (!options->purpose)
        options->purpose = &purpose_machine;
    if (!options->budget)
        options->budget = options->purpose->budget;
    if (!options->size)
        options->bytes = INFINITY;
    return budget_parse(options->budget);
}

int plan_options_only(const char *command, const struct plan_options *options, struct plan_only *only)
{
    char hint[256];
    *only = (struct plan_only){options->names, options->name_count};
    const char *unknown = plan_only_unknown(only);
    if (!unknown)
        return EXIT_DONE;
    return complain(EXIT_USAGE, command, "no kernel or sequence '%s'; `kneepoint list kernels` shows them%s", unknown,
                    name_argument_hint(unknown, false, hint, sizeof hint));
}

static void print_value(FILE *stream, const struct purpose *purpose, unsigned value, size_t chosen, size_t all)
{
    int used = fprintf(stream, "  %-12s %5zu of %zu", purpose->value_name(value), chosen, all);
    if (purpose->value_purpose)
        fprintf(stream, "%*s%s", used < 29 ? 29 - used : 1, "", purpose->value_purpose(value));
    fputc('\n', stream);
}

void plan_print_values(FILE *stream, const struct cells *cells, const struct purpose *purpose)
{
    for (unsigned value = 0; value < PURPOSE_NOT_WANTED; value++) {
        size_t chosen = 0, left_out = 0;
        for (size_t i = 0; i < cells->count; i++) {
            chosen += cells->cell[i].value == value && !cells->cell[i].left_out;
            left_out += cells->cell[i].value == value && cells->cell[i].left_out;
        }
        if (chosen || left_out)
            print_value(stream, purpose, value, chosen, chosen + left_out);
    }
}
