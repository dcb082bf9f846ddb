/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/bias.h"
#include "harness/cells/cell/kind.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/command.h"
#include "harness/plan/protocol.h"

static const char command_name[] = "bias";

/** Rounds of every level in so many visits, and how many of each level are to be kept, for how long at most. */
enum { VISITS = 3, ROUNDS = 24, SETTLED = 12, PATIENCE_S = 20 };

struct options {
    struct measuring_options measuring;
    bool levels;
};

enum { OPTION_LEVELS = 0x200 };

static const struct argp_option option_table[] = {
    {"levels", OPTION_LEVELS, NULL, 0, "Print every level of every factor, not only how far they are apart", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = state->child_inputs[1] = &options->measuring; return 0;
    case OPTION_LEVELS: options->levels = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void print_levels(const struct cell *cell)
{
    const struct bias_cell *own = bias_cell(cell);
    size_t n;
    double first = bias_median(cell, 0, &n);
    for (unsigned level = 0; level < own->levels; level++) {
        char name[32];
        double median = bias_median(cell, level, &n);
        bias_level_name(own->factor, level, name, sizeof name);
        printf("    %-20s", name[0] ? name : "again");
        if (isfinite(median))
            printf(" %12.6g %s", own->subject == BIAS_COLD ? 1e6 * median : median,
                   own->subject == BIAS_COLD ? "us" : "cycles");
        else
            printf(" %12s", "-");
        if (isfinite(median / first))
            printf("  %+6.2f%%", 100 * (median / first - 1));
        printf("  n %zu\n", n);
    }
}

static void print_cell(const struct cells *cells, const struct cell *cell, bool levels)
{
    const struct bias_cell *own = bias_cell(cell);
    printf("%-34s %-6s %-15s %6u", cell->kernel ? cell->kernel->name : cell->sequence->name,
           bias_subject_name(own->subject), bias_factor_name(own->factor), own->levels);
    const struct layout_bias bias = bias_of(cells, cell);
    print_number(100 * bias.spread, 8, 2, "%");
    print_number(100 * expm1(bias.distance), 8, 2, "%");
    print_number(100 * expm1(bias.noise), 8, 2, "%");
    print_number(100 * expm1(bias.net), 8, 2, "%");
    printf(" %4zu\n", cell->kind->kept(cell));
    if (levels)
        print_levels(cell);
}

static int print_all(const struct session *session, const struct cells *cells, const struct options *options)
{
    int code = EXIT_DONE;
    if (!options->measuring.json)
        printf("What a change of layout alone does here\n%-34s %-6s %-15s %6s %9s %9s %9s %9s %4s\n", "", "", "factor",
               "levels", "spread", "95% apart", "noise", "not noise", "n");
    for (size_t i = 0; !code && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->why[0] && options->measuring.json)
            code = print_record(
                command_name, json_pack("{s:s, s:s, s:s}", "type", "skipped", "name", cell->name, "reason", cell->why));
        else if (cell->why[0])
            printf("left out: %s: %s\n", cell->name, cell->why);
        else if (options->measuring.json)
            code = print_record(command_name, summary_record(session, cells, cell));
        else
            print_cell(cells, cell, options->levels);
    }
    if (!options->measuring.json)
        puts(
            "\nspread: the slowest level over the fastest, less 1. 95% apart: two levels drawn at random are no further from "
            "each\nother, 19 times in 20. noise: how far apart they are with the levels shuffled within each round. not "
            "noise: what of\nthe one the other does not explain; 0 where five shuffles in a hundred are as far apart. gamma: "
            "operands in registers;\nwarm: weights in L2; cold: from memory, with four rounds for one of the others.");
    return code;
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct options *options = given;
    char why[SESSION_WHY];
    size_t failed = 0;
    unsigned samples = options->measuring.samples;
    const struct execution execution = {.keep_going = true};
    const struct effort effort =
        protocol_effort(samples ? samples : ROUNDS, VISITS, samples ? 0 : SETTLED, samples ? 0 : PATIENCE_S);
    if (bias_add(cells, session))
        return complain(EXIT_USAGE, command_name, "no memory");
    if (!cells->count)
        return complain(EXIT_USAGE, command_name,
                        "no kernel of 2 bits in int8 runs here; `kneepoint list kernels` says why not");
    int error = protocol_measure(session, cells, 0, cells->count, &effort, &execution, &failed);
    if (error) {
        protocol_why(cells, failed, error, why, sizeof why);
        return complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, command_name, "%s", why);
    }
    return print_all(session, cells, options);
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0}, {&samples_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .doc =
            "The bias budget: what a change of layout alone does here. The same work, a sequence and a GEMV of the "
            "widest instruction set, timed with its code at 16 places in a line and in other pages, its stack and its "
            "buffers shifted, other data, other pages, and with nothing changed at all, which shows the noise.",
        .children = children,
    };
    struct options options = {0};
    int code = parse_options(&argp, argc, argv, &options);
    return code ? code : command_session_run(command_name, &options.measuring.request, measure, &options);
}

const struct command command_bias = {
    .name = command_name,
    .summary = "what a change of layout alone does here: code, stack, buffers, data, pages",
    .run = run,
};
