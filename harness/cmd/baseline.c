/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/table.h"
#include "harness/command/command.h"
#include "harness/compare/input.h"
#include "results/blocks/baseline.h"
#include "results/records/record.h"
#include "results/records/run.h"
#include "results/statistics/stats.h"

static const char command_name[] = "baseline";

enum { OPTION_RESULTS = 0x200, OPTION_REPLACE };

struct options {
    const char *action, *name, *run, *results;
    int count;
    bool replace, json;
    struct table_view view;
};

static const struct argp_option option_table[] = {
    {"results", OPTION_RESULTS, "DIR", 0, "Folder of the runs, with DIR/baselines in it (default: results)", 0},
    {"replace", OPTION_REPLACE, NULL, 0, "With save: overwrite a baseline of that name", 0},
    {"json", 'j', NULL, 0, "JSON Lines on standard output", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    const char **const arguments[] = {&options->action, &options->name, &options->run};
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &options->view; return 0;
    case OPTION_RESULTS: options->results = argument; return 0;
    case OPTION_REPLACE: options->replace = true; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->count == 3)
            argp_error(state, "save takes NAME and RUN only, not also '%s'", argument);
        *arguments[options->count++] = argument;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- records ---- */

static const char *text_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "unknown";
}

static size_t judged_cells(const struct blocks *blocks)
{
    size_t count = 0;
    for (size_t i = 0; i < blocks->cells; i++)
        count += !blocks->cell[i].control;
    return count;
}

static json_t *baseline_record(const char *name, const struct blocks *blocks)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:s}", "type", "baseline", "name", name, "cpu",
                     text_of(json_object_get(blocks->meta, "cpu"), "name"), "hostname",
                     text_of(json_object_get(blocks->meta, "host"), "hostname"), "started",
                     text_of(blocks->meta, "started"), "revision", text_of(blocks->meta, "revision"), "cells",
                     (json_int_t)judged_cells(blocks), "blocks", (json_int_t)blocks->count, "replicate",
                     blocks->processes ? "process" : "visit");
}

/** Median and scatter of the blocks of a cell; NaN where they rest on too few samples to say. */
static struct summary summary_of(const struct blocks_cell *cell)
{
    struct summary summary = {.median = NAN, .mad = NAN};
    if (cell->kept >= STATS_KEPT_LEAST)
        stats_summarize(cell->value, cell->count, &summary);
    return summary;
}

static json_t *cell_record(const struct blocks_cell *cell)
{
    struct summary summary = summary_of(cell);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:b, s:s, s:o, s:o, s:I, s:I}", "type", "baseline_cell", "name", cell->name, "class",
                  compare_class_name(cell->class), "control", (int)cell->control, "unit", cell->cycles ? "cycles" : "s",
                  "median", record_number_or_null(summary.median), "mad", record_number_or_null(summary.mad), "n",
                  (json_int_t)cell->kept, "blocks", (json_int_t)cell->count);
    if (record && cell->kept < STATS_KEPT_LEAST) {
        char why[64];
        snprintf(why, sizeof why, "fewer than %d kept samples", STATS_KEPT_LEAST);
        json_object_set_new(record, "reason", json_string(why));
    }
    return record;
}

/* ---- actions ---- */

/** What makes a baseline weaker than it could be. */
static void warn(const struct options *options, const struct compare_input *input)
{
    if (input->truncated || input->bad_lines)
        complain(0, command_name, "%s: damaged lines are left out", options->run);
    if (input->blocks.source[0])
        complain(0, command_name,
                 "%s comes from %s: its samples are used unfiltered and come from one process, which is weaker "
                 "evidence",
                 options->run, input->blocks.source);
    else if (!input->blocks.processes)
        complain(0, command_name,
                 "%s was measured in fewer than %d processes, so its visits serve as blocks, which is weaker evidence; "
                 "`kneepoint characterize --resume=%s` adds a process",
                 options->run, BLOCKS_LEAST_PROCESSES, options->run);
}

static int save(struct options *options)
{
    char newest[4096], why[1024], path[4096];
    struct compare_input input;
    if (!options->run) {
        int error = run_find_newest(options->results, newest, sizeof newest);
        if (error)
            return complain_of_no_run(command_name, error, options->results, "", "name its folder");
        options->run = newest;
    }
    if (compare_input_load(options->run, options->results, &input, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    int error =
        baseline_save(options->results, options->name, options->run, &input.blocks, options->replace, why, sizeof why);
    if (!error)
        warn(options, &input);
    compare_input_release(&input);
    if (error)
        return complain(EXIT_USAGE, command_name, "%s", why);
    baseline_path(options->results, options->name, path, sizeof path);
    if (options->json)
        return print_record(command_name,
                            json_pack("{s:s, s:s, s:s}", "type", "baseline", "name", options->name, "path", path));
    puts(path);
    return EXIT_DONE;
}

/* ---- tables ---- */

static const char *revision_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%.12s", json_string_value(json_object_get(record, "revision")));
    return text;
}

/** What is drawn anew: processes are, visits of one process are not. */
static const char *replicate_text(const json_t *record, char *text, size_t size)
{
    const char *replicate = json_string_value(json_object_get(record, "replicate"));
    snprintf(text, size, "%lld %s%s", (long long)json_integer_value(json_object_get(record, "blocks")), replicate,
             strcmp(replicate, "process") == 0 ? "es" : "s");
    return text;
}

static const struct table_column columns[] = {
    {"baseline", "name", .left = true},
    {"started", "started", .rank = 2, .left = true},
    {"cells", "cells", .rank = 1},
    {"blocks", "blocks", .text = replicate_text, .rank = 1},
    {"revision", "revision", .text = revision_text, .rank = 4, .left = true},
    {"CPU", "cpu", .rank = 3, .left = true, .clips = 16},
};

static const struct table baseline_table = {"baseline", "Baselines", columns,
                                            .count = sizeof columns / sizeof *columns};

static const char *class_text(const json_t *record, char *text, size_t size)
{
    bool control = json_is_true(json_object_get(record, "control"));
    snprintf(text, size, "%s", control ? "machine" : json_string_value(json_object_get(record, "class")));
    return text;
}

static const char *median_text(const json_t *record, char *text, size_t size)
{
    bool cycles = strcmp(json_string_value(json_object_get(record, "unit")), "cycles") == 0;
    double median = record_number_or_nan(record, "median");
    if (isfinite(median))
        snprintf(text, size, "%.6g %-6s", cycles ? median : 1e6 * median, cycles ? "cycles" : "us");
    else
        snprintf(text, size, "%s", record_number_or_nan(record, "n") < STATS_KEPT_LEAST ? "not enough" : "no block");
    return text;
}

static const char *scatter_text(const json_t *record, char *text, size_t size)
{
    double share = record_number_or_nan(record, "mad") / record_number_or_nan(record, "median");
    snprintf(text, size, "%.2f%%", 100 * share);
    return isfinite(share) ? text : "";
}

static const struct table_column cell_columns[] = {
    {"cell", "name", .left = true, .clips = 40},
    {"class", "class", .text = class_text, .rank = 3, .left = true},
    {"median", "median", .text = median_text, .rank = 1},
    {"mad", "mad", .text = scatter_text, .rank = 2},
    {"n", "n", .rank = 4},
    {"blocks", "blocks", .rank = 5},
};

static const struct table cell_table = {"baseline_cell", "Cells", cell_columns,
                                        .count = sizeof cell_columns / sizeof *cell_columns};

static const struct table *const tables[] = {&baseline_table, &cell_table, NULL};

/** One baseline as a table of one row. */
static int print_one(const struct options *options, const struct blocks *blocks)
{
    const struct table_view unsorted = {.wide = options->view.wide};
    json_auto_t *rows = json_pack("[o]", baseline_record(options->name, blocks));
    return table_show(command_name, &baseline_table, rows, &unsorted);
}

static int list(const struct options *options)
{
    char **names, why[1024];
    long count = baseline_names(options->results, &names);
    json_t *rows = json_array();
    int code = count < 0 ? complain(EXIT_USAGE, command_name, "no memory") : EXIT_DONE;
    for (long i = 0; i < count; i++) {
        struct blocks blocks;
        if (baseline_load(options->results, names[i], &blocks, why, sizeof why)) {
            code = complain(EXIT_USAGE, command_name, "%s", why); /* the others are listed nevertheless */
            continue;
        }
        if (table_take(command_name, rows, options->json, baseline_record(names[i], &blocks)))
            code = EXIT_USAGE;
        blocks_release(&blocks);
    }
    if (json_array_size(rows) && table_show(command_name, &baseline_table, rows, &options->view))
        code = EXIT_USAGE;
    json_decref(rows);
    if (count == 0)
        complain(0, command_name, "no baselines in %s/baselines; `kneepoint baseline save NAME` makes one",
                 options->results);
    if (count >= 0)
        baseline_names_release(names, count);
    return code;
}

/** What it was made with, and where. */
static void print_origin(const struct blocks *blocks)
{
    struct blocks_sharing sharing = {0};
    char line[4096];
    blocks_add_sharing(&blocks->noise, BLOCKS_BASE, &sharing);
    snprintf(line, sizeof line, "compiler %s, flags %s\n", text_of(blocks->meta, "compiler"),
             text_of(blocks->meta, "flags"));
    console_print_text(line);
    snprintf(
        line, sizeof line, "host %s, kernel %s, %s\n\n", text_of(json_object_get(blocks->meta, "host"), "hostname"),
        text_of(json_object_get(blocks->meta, "host"), "kernel"), blocks_is_shared(&sharing) ? sharing.why : "quiet");
    console_print_text(line);
}

static int show(const struct options *options)
{
    char why[1024];
    struct blocks blocks;
    if (baseline_load(options->results, options->name, &blocks, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    json_auto_t *rows = json_array();
    int code = options->json ? print_record(command_name, baseline_record(options->name, &blocks))
                             : print_one(options, &blocks);
    if (!code && !options->json)
        print_origin(&blocks);
    for (size_t i = 0; !code && i < blocks.cells; i++)
        code = table_take(command_name, rows, options->json, cell_record(&blocks.cell[i]));
    if (!code && !options->json)
        code = table_show(command_name, &cell_table, rows, &options->view);
    blocks_release(&blocks);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&table_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .children = children,
        .args_doc = "save NAME [RUN]\nlist\nshow NAME",
        .doc =
            "Baselines are named runs to compare other runs with. `save` writes the block values of a run (by default "
            "the newest) to DIR/baselines/NAME.json, one cell per line, so that it can be committed and reviewed; "
            "`kneepoint compare NAME RUN` uses it.",
    };
    struct options options = {.results = "results", .view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (code)
        return code;
    bool saves = options.action && strcmp(options.action, "save") == 0;
    bool lists = options.action && strcmp(options.action, "list") == 0;
    bool shows = options.action && strcmp(options.action, "show") == 0;
    if (!saves && !lists && !shows)
        return complain(EXIT_USAGE, command_name, "say save, list or show%s%s", options.action ? ", not " : "",
                        options.action ? options.action : "");
    if (!lists && !options.name)
        return complain(EXIT_USAGE, command_name, "%s needs the name of a baseline", options.action);
    if (options.count > (saves ? 3 : shows ? 2 : 1))
        return complain(EXIT_USAGE, command_name, "%s takes no '%s'", options.action,
                        shows ? options.run : options.name);
    if (options.replace && !saves)
        return complain(EXIT_USAGE, command_name, "--replace goes with save only");
    return saves ? save(&options) : lists ? list(&options) : show(&options);
}

const struct command command_baseline = {
    .name = command_name,
    .summary = "runs by name to compare with: save, list, show",
    .run = run,
    .tables = tables,
};
