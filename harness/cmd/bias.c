/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/bias/bias.h"
#include "harness/cells/cell/kind.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/console/watched.h"
#include "harness/command/command.h"
#include "harness/plan/protocol.h"
#include "results/records/record.h"

static const char command_name[] = "bias";

/** Rounds of every level in this many visits, and how many of each level are to be kept, for how long at most. */
enum { VISITS = 3, ROUNDS = 24, SETTLED = 12, PATIENCE_S = 20 };

struct options {
    struct measuring_options measuring;
    struct run_request run;
    bool levels;
    struct table_view view;
};

enum { OPTION_LEVELS = 0x200 };

static const struct argp_option option_table[] = {
    {"levels", OPTION_LEVELS, NULL, 0, "Print every level of every factor, not only how far apart they are", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->measuring;
        state->child_inputs[2] = &options->run;
        state->child_inputs[3] = &options->view;
        return 0;
    case OPTION_LEVELS: options->levels = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- tables ---- */

static const char *percent(double share, char *text, size_t size)
{
    snprintf(text, size, "%.2f%%", 100 * share);
    return isfinite(share) ? text : "-";
}

static const char *distance_text(const json_t *record, char *text, size_t size)
{
    return percent(expm1(record_number_or_nan(record, "distance")), text, size);
}

static const char *noise_text(const json_t *record, char *text, size_t size)
{
    return percent(expm1(record_number_or_nan(record, "noise")), text, size);
}

static const char *net_text(const json_t *record, char *text, size_t size)
{
    return percent(expm1(record_number_or_nan(record, "net")), text, size);
}

static const char *levels_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%zu", json_array_size(json_object_get(record, "levels")));
    return text;
}

/** Of the level that has the fewest. */
static const char *kept_text(const json_t *record, char *text, size_t size)
{
    const json_t *levels = json_object_get(record, "levels");
    long long least = -1;
    for (size_t i = 0; i < json_array_size(levels); i++) {
        long long n = (long long)json_integer_value(json_object_get(json_array_get(levels, i), "n"));
        least = least < 0 || n < least ? n : least;
    }
    snprintf(text, size, "%lld", least);
    return least < 0 ? "-" : text;
}

static const struct table_column columns[] = {
    {"of", "name", .left = true, .clips = 24},
    {"from", "subject", .left = true},
    {"factor", "factor", .left = true},
    {"levels", "levels", .text = levels_text, .rank = 5},
    {"spread", "spread", TABLE_NUMBER, .scale = 100, .format = "%.2f%%", .rank = 3},
    {"95% apart", "distance", .text = distance_text, .rank = 2},
    {"noise", "noise", .text = noise_text, .rank = 4},
    {"not noise", "net", .text = net_text, .rank = 1},
    {"n", "levels", .text = kept_text, .rank = 6},
};

static const struct table bias_table = {"bias", "Bias of layout", columns, .count = sizeof columns / sizeof *columns};

static const char *change_text(const json_t *record, char *text, size_t size)
{
    double change = record_number_or_nan(record, "median") / record_number_or_nan(record, "first") - 1;
    snprintf(text, size, "%+.2f%%", 100 * change);
    return isfinite(change) ? text : "-";
}

static const char *median_text(const json_t *record, char *text, size_t size)
{
    bool cycles = strcmp(json_string_value(json_object_get(record, "unit")), "cycles") == 0;
    double median = record_number_or_nan(record, "median");
    snprintf(text, size, "%.6g %-6s", cycles ? median : 1e6 * median, cycles ? "cycles" : "us");
    return isfinite(median) ? text : "-";
}

static const struct table_column level_columns[] = {
    {"of", "name", .left = true, .clips = 20},
    {"from", "subject", .left = true},
    {"factor", "factor", .left = true},
    {"level", "level", .left = true},
    {"median", "median", .text = median_text, .rank = 2},
    {"vs first", "first", .text = change_text, .rank = 1},
    {"n", "n", .rank = 3},
};

static const struct table level_table = {.columns = level_columns,
                                         .count = sizeof level_columns / sizeof *level_columns};

static const struct table *const tables[] = {&bias_table, NULL};

/** A row for each level of each cell. */
static int show_levels(const json_t *records, const struct table_view *view)
{
    const struct table_view unsorted = {.wide = view->wide};
    json_t *rows = json_array(), *record;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)records, i, record)
    {
        const json_t *levels = json_object_get(record, "levels"),
                     *first = json_object_get(json_array_get(levels, 0), "median");
        for (size_t l = 0; l < json_array_size(levels); l++) {
            json_t *row = json_copy(json_array_get(levels, l));
            const char *level = json_string_value(json_object_get(row, "level"));
            json_object_set(row, "name", json_object_get(record, "name"));
            json_object_set(row, "subject", json_object_get(record, "subject"));
            json_object_set(row, "factor", json_object_get(record, "factor"));
            json_object_set(row, "unit", json_object_get(record, "unit"));
            json_object_set(row, "first", (json_t *)(uintptr_t)first);
            if (!level || !*level)
                json_object_set_new(row, "level", json_string("again"));
            json_array_append_new(rows, row);
        }
    }
    putchar('\n');
    int code = table_show(command_name, &level_table, rows, &unsorted);
    json_decref(rows);
    return code;
}

static int print_all(const struct session *session, const struct cells *cells, const struct options *options)
{
    bool json = options->measuring.json;
    json_t *rows = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        if (!cells->cell[i].why[0])
            json_array_append_new(rows, summary_record(session, cells, &cells->cell[i]));
    }
    if (!json)
        puts("What a change of layout alone does here");
    int code = table_print_records(command_name, &bias_table, rows, json, &options->view);
    if (!code && !json && options->levels)
        code = show_levels(rows, &options->view);
    json_decref(rows);
    if (!code)
        code = print_cells_left_out(command_name, cells, json);
    if (!json)
        console_print_text(
            "\nspread: the slowest level over the fastest, minus 1. 95% apart: 19 times in 20, two levels drawn at "
            "random lie no\nfurther apart. noise: how far apart they lie after the levels are shuffled within each "
            "round. not noise: the part that\nnoise does not explain; 0 if five shuffles in a hundred lie as far "
            "apart. gamma: operands in registers; warm: weights\nin L2; cold: weights from memory, with four rounds "
            "for each round of the others. n: samples of the level that has the\nfewest.\n");
    return code;
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct options *options = given;
    unsigned samples = options->measuring.samples;
    struct watched watched = {.command = command_name, .shows = "bias", .json = options->measuring.json};
    const struct effort effort =
        protocol_effort(samples ? samples : ROUNDS, VISITS, samples ? 0 : SETTLED, samples ? 0 : PATIENCE_S);
    if (bias_add(cells, session))
        return complain(EXIT_USAGE, command_name, "no memory");
    if (!cells->count)
        return complain(EXIT_USAGE, command_name,
                        "no kernel of 2 bits in int8 runs here; `kneepoint list kernels` says why not");
    int code = watched_open(&watched, &options->run, session);
    if (code)
        return code;
    code = watched_measure(&watched, session, cells, &effort);
    if (!code)
        code = print_all(session, cells, options);
    if (!code && !watched.interrupted)
        code = warn_where_no_samples(command_name, cells, &cell_kind_bias);
    return watched_close(&watched, session, cells, code);
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0},
                                                 {&samples_argp, 0, NULL, 0},
                                                 {&saving_argp, 0, NULL, 0},
                                                 {&table_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .doc =
            "The bias budget: what a change of layout alone does here. The same work, a sequence and a GEMV of the "
            "widest instruction set, timed with its code at 16 places in a line and in other pages, its stack and its "
            "buffers shifted, other data, other pages, and with nothing changed at all, which shows the noise.",
        .children = children,
    };
    struct options options = {.view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    return code ? code : command_session_run(command_name, &options.measuring.request, measure, &options);
}

const struct command command_bias = {
    .name = command_name,
    .summary = "what a change of layout alone does here: code, stack, buffers, data, pages",
    .run = run,
    .tables = tables,
};
