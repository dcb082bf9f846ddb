/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "harness/cmd/compare/compare_command.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/model_names.h"
#include "harness/cmd/console/options/name_options.h"
#include "harness/command/command.h"
#include "harness/compare/live.h"
#include "harness/compare/live_block.h"

static const char command_name[] = "compare";

enum {
    OPTION_LIVE = 0x200,
    OPTION_QUICK,
    OPTION_CONFIRM,
    OPTION_BLOCKS,
    OPTION_BUDGET,
    OPTION_CELL,
    OPTION_ALLOW,
    OPTION_CONFIRM_RUN,
    OPTION_CONFIRM_BASE,
    OPTION_NOISE_FLOOR,
    OPTION_OUTPUT_FORMAT,
    OPTION_FORMAT,
    OPTION_CSV,
    OPTION_MARKDOWN,
    OPTION_RESULTS,
    OPTION_KEEP,
    OPTION_WARM,
    OPTION_COLD,
    OPTION_BLOCK,
    OPTION_POOL,
    OPTION_ROOF,
    OPTION_ONLY
};

struct options {
    struct compare_options compare;
    bool blocks_given;
    /* of the process of one block */
    bool is_block;
    unsigned block;
    uint64_t pool_bytes;
    const char *roofs[LIVE_BLOCK_ROOFS], *only[COMPARE_LIST_MOST];
    size_t roof_count, only_count;
    const char *former_format; /* of the verdict, given as --format; NULL */
};

static const struct argp_option option_table[] = {
    {"cell", OPTION_CELL, "PATTERN", 0, "Only cells whose name matches, such as 'gemv/*/cold'; may be repeated", 0},
    {"allow", OPTION_ALLOW, "WHAT", 0,
     "Compare even if this differs: cpu, pages, flags, clock, cells or all. Also unconfirmed: a loss counts without a "
     "fresh comparison; same-base: without a fresh BASE",
     0},
    {"confirm-run", OPTION_CONFIRM_RUN, "RUN", 0, "Another run of HEAD: a loss counts only if it shows there, too", 0},
    {"confirm-base", OPTION_CONFIRM_BASE, "RUN", 0,
     "Another run of BASE to compare the other run of HEAD with: if both comparisons use one BASE, an unlucky run of "
     "it counts twice",
     0},
    {"output-format", OPTION_OUTPUT_FORMAT, "FORMAT", 0, "text, markdown, junit, json or csv (default: text)", 0},
    {"format", OPTION_FORMAT, "NAME", OPTION_HIDDEN, NULL, 0},
    {"csv", OPTION_CSV, NULL, 0, "--output-format=csv", 0},
    {"markdown", OPTION_MARKDOWN, NULL, 0, "--output-format=markdown", 0},
    {"output", 'o', "FILE", 0, "Write the verdict to FILE in its --output-format, and text to standard output", 0},
    {"results", OPTION_RESULTS, "DIR", 0, "Folder of runs, baselines and noise floors (default: results)", 0},
    {NULL, 0, NULL, 0, "With --live:", 1},
    {"live", OPTION_LIVE, NULL, 0,
     "BASE and HEAD are kernels or sequences by name, sequences in files (FILE.S) or plug-ins (FILE.so): measure both "
     "now, in pairs of fresh processes",
     1},
    {"blocks", OPTION_BLOCKS, "N", 0,
     "Pairs per cell, 5 to 101 (default: 9); cells that are still undecided get up to three times as many", 1},
    {"quick", OPTION_QUICK, NULL, 0, "7 pairs", 1},
    {"confirm", OPTION_CONFIRM, NULL, 0, "21 pairs", 1},
    {"budget", OPTION_BUDGET, "TIME", 0,
     "Time after which undecided cells get no more pairs, in seconds or as 5m (default: 90, with --confirm 300)", 1},
    {"noise-floor", OPTION_NOISE_FLOOR, "N", 0,
     "Compare BASE with itself N times and save the differences as this machine's noise floor", 1},
    {"keep", OPTION_KEEP, NULL, 0, "Keep what was measured as two runs below the results folder", 1},
    {"shape", 's', "MxK", 0, "Weights of M rows and K columns; may be repeated (default: 4096x4096)", 1},
    {"model", 'm', "NAME", 0, "Every weight shape of a model", 1},
    {"cold", OPTION_COLD, NULL, 0, "Only cold: another copy of the weights from memory each time", 1},
    {"warm", OPTION_WARM, NULL, 0, "Only warm: the same weights again and again", 1},
    {"accumulators", 'a', "N", 0, "Accumulators of a sequence (default: as many as it has)", 1},
    {"block", OPTION_BLOCK, "N", OPTION_HIDDEN, NULL, 1},
    {"pool", OPTION_POOL, "BYTES", OPTION_HIDDEN, NULL, 1},
    {"roof", OPTION_ROOF, "THREADS:STREAM", OPTION_HIDDEN, NULL, 1},
    {"only", OPTION_ONLY, "LABEL", OPTION_HIDDEN, NULL, 1},
    {0},
};

static void push(const char **list, size_t *count, size_t most, const char *argument, const char *option,
                 struct argp_state *state)
{
    if (*count == most)
        argp_error(state, "%s may be given %zu times at most", option, most);
    list[(*count)++] = argument;
}

/** Names joined with commas. */
static unsigned parse_allowed(const char *argument, struct argp_state *state)
{
    unsigned allowed = 0;
    for (const char *at = argument;; at++) {
        size_t length = strcspn(at, ",");
        unsigned before = allowed;
        for (int fact = 0; fact < COMPARABLE_FACTS; fact++) {
            const char *name = comparable_fact_name((enum comparable_fact)fact);
            if (strlen(name) == length && strncmp(name, at, length) == 0)
                allowed |= 1u << fact;
        }
        if (length == 3 && strncmp(at, "all", 3) == 0)
            allowed |= (1u << COMPARABLE_FACTS) - 1;
        if (length == 11 && strncmp(at, "unconfirmed", 11) == 0)
            allowed |= 1u << COMPARE_ALLOW_UNCONFIRMED;
        if (length == 9 && strncmp(at, "same-base", 9) == 0)
            allowed |= 1u << COMPARE_ALLOW_SAME_BASE;
        if (allowed == before)
            argp_error(state,
                       "--allow takes cpu, pages, flags, clock, cells, all, unconfirmed or same-base, not '%.*s'",
                       (int)length, at);
        at += length;
        if (!*at)
            return allowed;
    }
}

static error_t parse_shape(struct options *options, const char *argument, struct argp_state *state)
{
    size_t m, k;
    if (shape_parse(argument, &m, &k))
        argp_error(state, "--shape takes MxK such as 4096x4096, not '%s'", argument);
    push(options->compare.shapes, &options->compare.shape_count, COMPARE_LIST_MOST, argument, "--shape", state);
    return 0;
}

static error_t parse_argument(struct options *options, const char *argument, struct argp_state *state)
{
    if (options->compare.count == 2)
        argp_error(state, "only BASE and HEAD are compared; '%s' is a third", argument);
    options->compare.given[options->compare.count++] = argument;
    return 0;
}

static void set_blocks(struct options *options, unsigned blocks, struct argp_state *state)
{
    if (options->blocks_given)
        argp_error(state, "--quick, --confirm and --blocks exclude each other");
    options->compare.blocks = blocks;
    options->blocks_given = true;
}

static void parse_output_format(struct compare_options *options, const char *argument, struct argp_state *state)
{
    options->format = verdict_format_named(argument);
    if (options->format == VERDICT_FORMATS)
        argp_error(state, "--output-format takes text, markdown, junit, json or csv, not '%s'", argument);
}

/** --format of names_argp, which until 0.3.0 is the output format, too. */
static void parse_format(struct options *options, const char *argument)
{
    enum verdict_format former = verdict_format_named(argument);
    if (former == VERDICT_FORMATS) {
        options->compare.filter.format = argument;
        return;
    }
    options->compare.format = former;
    options->former_format = argument;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->compare.measuring;
        state->child_inputs[2] = &options->compare.measuring.request.plugins;
        state->child_inputs[3] = &options->compare.filter;
        state->child_inputs[4] = &options->compare.view;
        return 0;
    case OPTION_LIVE: options->compare.live = true; return 0;
    case OPTION_QUICK: set_blocks(options, LIVE_BLOCKS_QUICK, state); return 0;
    case OPTION_CONFIRM: set_blocks(options, LIVE_BLOCKS_CONFIRM, state); return 0;
    case OPTION_BLOCKS:
        set_blocks(options, (unsigned)option_number(argument, LIVE_BLOCKS_LEAST, LIVE_BLOCKS_MOST, "--blocks", state),
                   state);
        return 0;
    case OPTION_BUDGET:
        options->compare.budget_s = (unsigned)option_seconds(argument, false, "--budget", state);
        return 0;
    case OPTION_CELL:
        push(options->compare.patterns, &options->compare.pattern_count, COMPARE_LIST_MOST, argument, "--cell", state);
        return 0;
    case OPTION_ALLOW: options->compare.allowed |= parse_allowed(argument, state); return 0;
    case OPTION_CONFIRM_RUN: options->compare.confirm_run = argument; return 0;
    case OPTION_CONFIRM_BASE: options->compare.confirm_base = argument; return 0;
    case OPTION_NOISE_FLOOR:
        options->compare.noise_floor = (unsigned)option_number(argument, 1, 1000, "--noise-floor", state);
        return 0;
    case OPTION_OUTPUT_FORMAT: parse_output_format(&options->compare, argument, state); return 0;
    case OPTION_FORMAT: parse_format(options, argument); return 0;
    case OPTION_CSV: options->compare.format = VERDICT_CSV; return 0;
    case OPTION_MARKDOWN: options->compare.format = VERDICT_MARKDOWN; return 0;
    case 'o': options->compare.output = argument; return 0;
    case OPTION_RESULTS: options->compare.results = argument; return 0;
    case OPTION_KEEP: options->compare.keep = true; return 0;
    case 's': return parse_shape(options, argument, state);
    case 'm': options->compare.model = argument; return 0;
    case OPTION_COLD: options->compare.cold = true; return 0;
    case OPTION_WARM: options->compare.warm = true; return 0;
    case 'a':
        options->compare.accumulators = (unsigned)option_number(argument, 1, 32, "--accumulators", state);
        return 0;
    case OPTION_BLOCK:
        options->block = (unsigned)option_number(argument, 0, 1000000, "--block", state);
        options->is_block = true;
        return 0;
    case OPTION_POOL: options->pool_bytes = option_number(argument, 1, 1ul << 50, "--pool", state); return 0;
    case OPTION_ROOF: push(options->roofs, &options->roof_count, LIVE_BLOCK_ROOFS, argument, "--roof", state); return 0;
    case OPTION_ONLY: push(options->only, &options->only_count, COMPARE_LIST_MOST, argument, "--only", state); return 0;
    case ARGP_KEY_ARG: return parse_argument(options, argument, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the process of one block ---- */

/** Shapes of the options; complains itself. @return exit code */
static int select_shapes(const struct compare_options *options, struct shape shapes[SHAPES_MAX], size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < options->shape_count && *count < SHAPES_MAX; i++) {
        struct shape *shape = &shapes[(*count)++];
        *shape = (struct shape){.count = 1};
        shape_parse(options->shapes[i], &shape->m, &shape->k);
    }
    int code = options->model ? model_names_shapes(command_name, options->model, shapes, count) : 0;
    if (!code && !*count)
        shapes[(*count)++] = (struct shape){.m = 4096, .k = 4096, .count = 1};
    return code;
}

static int run_block(const struct options *options, struct session *session)
{
    static struct shape shapes[SHAPES_MAX];
    const struct compare_options *compare = &options->compare;
    bool one_team = compare->measuring.threads_given || session->threads == 1;
    struct live_block job = {
        .subject = compare->given[0],
        .block = options->block,
        .wants.cells =
            {
                .shapes = shapes,
                .cold = compare->cold || !compare->warm,
                .warm = compare->warm || !compare->cold,
                .teams = {one_team ? session->threads : 1, session->threads},
                .team_count = one_team ? 1 : 2,
                .accumulators = compare->accumulators,
            },
        .samples = compare->measuring.samples,
        .only = options->only,
        .only_count = options->only_count,
        .roof_count = options->roof_count,
        .pool_bytes = options->pool_bytes,
    };
    memcpy(job.roofs, options->roofs, sizeof job.roofs);
    int code = select_shapes(compare, shapes, &job.wants.cells.shape_count);
    if (code)
        return code;
    char why[SESSION_WHY];
    if (plugin_is_named(job.subject))
        crash_report_for(command_name);
    int error = live_block_run(session, &job, stdout, why, sizeof why);
    return error ? complain(error == -EILSEQ ? EXIT_CHECK_FAILED : EXIT_USAGE, command_name, "%s", why) : EXIT_DONE;
}

static int compare_in(const struct options *options, struct session *session)
{
    int code = command_session_needs_machine(command_name, session);
    if (code)
        return code;
    command_session_warn_busy(command_name, session);
    return compare_live_pairs(&options->compare, session);
}

/** Like command_session_run, for a session that plans nothing itself. */
static int in_session(const struct options *options,
                      int (*body)(const struct options *options, struct session *session))
{
    struct session *session;
    int code = command_session_open(command_name, &options->compare.measuring.request, &session);
    if (code)
        return code;
    code = body(options, session);
    return command_session_close(command_name, session, code);
}

/* ---- dispatch ---- */

/** What only a measurement takes. */
static bool measures(const struct options *options)
{
    const struct compare_options *compare = &options->compare;
    const struct session_request *request = &compare->measuring.request;
    return options->blocks_given || compare->budget_s || compare->noise_floor || compare->keep ||
           compare->shape_count || compare->model || compare->cold || compare->warm || compare->accumulators ||
           compare->measuring.samples || compare->measuring.threads_given || request->team.cpus || request->team.kind ||
           request->team.use_smt || request->instruments.counters || request->instruments.prove ||
           request->plugins.count;
}

/** Options that make no sense together, and defaults that depend on others. @return exit code */
static int check(struct options *options)
{
    struct compare_options *compare = &options->compare;
    char why[512];
    if (options->former_format)
        complain(0, command_name,
                 "--format=%s is now --output-format=%s; the next version takes only formats of weights",
                 options->former_format, options->former_format);
    if (compare->live && name_filter_is_set(&compare->filter))
        return complain(EXIT_USAGE, command_name, "%s: with --live, BASE and HEAD say what is measured; leave it out",
                        name_filter_text(&compare->filter, why, sizeof why));
    if (name_filter_check(&compare->filter, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    if (!compare->live && measures(options))
        return complain(EXIT_USAGE, command_name,
                        "two stored runs are not measured again; one of these options needs --live, which measures "
                        "BASE and HEAD now");
    if (compare->live && (compare->confirm_run || compare->confirm_base))
        return complain(EXIT_USAGE, command_name, "--live measures its own confirmation; leave %s out",
                        compare->confirm_run ? "--confirm-run" : "--confirm-base");
    if (compare->confirm_base && !compare->confirm_run)
        return complain(EXIT_USAGE, command_name,
                        "--confirm-base is compared with another run of HEAD; give that run as --confirm-run");
    if (compare->count == 0)
        return complain(EXIT_USAGE, command_name, "%s",
                        compare->live ? "name two kernels, sequences or plug-ins: kneepoint compare --live BASE HEAD"
                                      : "name two runs or baselines: kneepoint compare BASE HEAD");
    if (compare->noise_floor && compare->count == 1)
        compare->given[compare->count++] = compare->given[0];
    if (compare->noise_floor && strcmp(compare->given[0], compare->given[1]) != 0)
        return complain(EXIT_USAGE, command_name, "--noise-floor compares BASE with itself; name one");
    if (compare->live && compare->count == 1)
        return complain(EXIT_USAGE, command_name, "--live needs BASE and HEAD; only '%s' is given", compare->given[0]);
    if (compare->measuring.json)
        compare->format = VERDICT_JSON;
    if (!options->blocks_given)
        compare->blocks = LIVE_BLOCKS;
    if (!compare->budget_s)
        compare->budget_s = compare->blocks < LIVE_BLOCKS_CONFIRM ? 90 : 300;
    return EXIT_DONE;
}

static const struct table *const tables[] = {&compare_table, NULL};

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 2}, {&samples_argp, 0, NULL, 2},
                                                 {&plugins_argp, 0, NULL, 2},   {&names_argp, 0, NULL, 0},
                                                 {&table_argp, 0, NULL, 0},     {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "BASE [HEAD]",
        .doc = "Is HEAD slower than BASE? Two runs, or baselines by name (HEAD: by default the newest run), or with "
               "--live two kernels that are measured now. Each cell gets a verdict: it fails only if it is slower by "
               "more than the noise and more than a threshold, and slower again in a fresh comparison. Exit: 0 every "
               "cell passed, 1 a cell failed, 3 inconclusive, 4 not comparable.",
        .children = children,
    };
    static struct options options = {.compare.results = "results", .compare.view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    if (options.is_block) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);                           /* a block is of no use to anybody else */
        options.compare.measuring.request.plugins.unchecked = true; /* who compares did that */
        return options.compare.count == 1 ? in_session(&options, run_block) : EXIT_USAGE;
    }
    code = check(&options);
    if (code)
        return code;
    return options.compare.live ? in_session(&options, compare_in) : compare_stored_runs(&options.compare);
}

const struct command command_compare = {
    .name = command_name,
    .summary = "regression verdict per cell: two runs, or two kernels measured now",
    .run = run,
    .writes_forms = true,
};
