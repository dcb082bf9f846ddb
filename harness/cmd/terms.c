/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/sync/sync.h"
#include "harness/cells/term/term.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/console/watched.h"
#include "harness/command/command.h"
#include "harness/plan/plan_axes.h"
#include "harness/plan/protocol.h"
#include "harness/plugin/name_argument.h"
#include "micro/shape.h"
#include "results/records/record.h"

static const char command_name[] = "terms";

/** Pairs in this many visits, and how many are to be kept, for how long at most. */
enum { ROUNDS = 3, PAIRS = 18, SETTLED = 6, PATIENCE_S = 20 };

struct options {
    struct measuring_options measuring;
    struct shape shape;
    struct run_request run;
    struct table_view view;
    char **names;
    int count;
};

static const struct argp_option option_table[] = {
    {"shape", 's', "MxK", 0, "Weights of M rows and K columns (default: 4096x4096)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->measuring;
        state->child_inputs[2] = &options->measuring.request.plugins;
        state->child_inputs[3] = &options->run;
        state->child_inputs[4] = &options->view;
        return 0;
    case 's':
        if (shape_parse(argument, &options->shape.m, &options->shape.k))
            argp_error(state, "--shape takes MxK such as 4096x4096, not '%s'", argument);
        return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- what to measure ---- */

/** The terms of every kernel that a name means, on each team. */
static int add_kernels(const struct session *session, struct cells *cells, const struct options *options,
                       const char *name, const unsigned *sizes, size_t teams)
{
    const struct kernel *known = NULL;
    bool runs = false;
    char why[SESSION_WHY];
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!(*kernel)->gemv || !name_argument_means(name, (*kernel)->name))
            continue;
        known = *kernel;
        runs |= session_runs(session, known->isa);
        for (size_t t = 0; t < teams && session_runs(session, known->isa); t++) {
            int error = term_add_kernel(cells, session, known, &options->shape, sizes[t], why, sizeof why);
            if (error)
                return complain(EXIT_USAGE, command_name, "%s: %s", known->name,
                                error == -EINVAL ? why : strerror(-error));
        }
    }
    if (!known)
        return complain(EXIT_USAGE, command_name, "no kernel '%s'; `kneepoint list kernels` shows them%s", name,
                        name_argument_hint(name, false, why, sizeof why));
    if (runs)
        return EXIT_DONE;
    isa_missing(isa_find(known->isa), &session->machine.dump, why, sizeof why);
    return complain(EXIT_USAGE, command_name, "%s cannot run on this CPU: it %s", known->name, why);
}

static int add_cells(const struct session *session, struct cells *cells, const struct options *options)
{
    unsigned sizes[16] = {session->threads};
    size_t teams = options->measuring.threads_given ? 1 : plan_team_sizes(session->threads, sizes);
    int error = 0, code = EXIT_DONE;
    for (size_t t = 0; !error && t < teams; t++) {
        if (sizes[t] > 1)
            error = sync_add(cells, sizes[t]);
    }
    for (size_t t = 0; !error && !options->count && t < teams; t++)
        error = term_add_streams(cells, session, sizes[t]);
    if (error)
        return complain(EXIT_USAGE, command_name, "no memory");
    for (int i = 0; !code && i < options->count; i++)
        code = add_kernels(session, cells, options, options->names[i], sizes, teams);
    return code;
}

/* ---- printing ---- */

static bool has_event(const json_t *record)
{
    struct summary cost;
    return json_is_string(json_object_get(record, "event")) && !record_quantity_read(record, "cost_s", &cost);
}

static const char *event_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%s", has_event(record) ? json_string_value(json_object_get(record, "event")) : "");
    return text;
}

static const struct table_column columns[] = {
    {"term", "term", .left = true},
    {"of", "subject", .left = true, .clips = 24},
    {"variant", "variant", .left = true},
    {"thr", .field = "threads"},
    {"without us", "without_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 5},
    {"with us", "with_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 6},
    {"diff us", "difference_s", TABLE_NUMBER, .scale = 1e6, .digits = 2, .rank = 1},
    {"change", "change", TABLE_CHANGE, .rank = 2},
    {"ns each", "cost_s", TABLE_NUMBER, .scale = 1e9, .digits = 2, .rank = 3},
    {"event", "event", .text = event_text, .rank = 4, .left = true},
    {"n", "difference_s", TABLE_KEPT, .rank = 7},
    {"rej", "difference_s", TABLE_REJECTED, .rank = 8},
};

static const struct table term_table = {"term", "Terms", columns, .count = sizeof columns / sizeof *columns};

static const struct table *const tables[] = {&term_table, NULL};

/** As a row of the table: what a meeting of the team takes is all difference. */
static json_t *barrier_row(json_t *record)
{
    json_object_set_new(record, "term", json_string("barrier"));
    json_object_set_new(record, "subject", json_string("meeting of the team"));
    json_object_set_new(record, "variant", json_string(""));
    json_object_set(record, "difference_s", json_object_get(record, "time_s"));
    return record;
}

static int print_all(const struct session *session, const struct cells *cells, const struct options *options)
{
    bool json = options->measuring.json;
    json_t *rows = json_array();
    int code = EXIT_DONE;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = cell->why[0] || !cell->samples.count ? NULL : summary_record(session, cells, cell);
        if (record)
            json_array_append_new(rows, term_cell(cell) || json ? record : barrier_row(record));
    }
    code = table_print_records(command_name, &term_table, rows, json, &options->view);
    json_decref(rows);
    if (!code)
        code = print_cells_left_out(command_name, cells, json);
    if (!json)
        console_print_text(
            "\nEach line compares the same work without the term and with it, in pairs of random order. streams: "
            "reading several\nplaces side by side. prefetch: a distance, against no prefetch (a stream) or its own "
            "distance (a kernel). pages: pages\nof the base size. memory: weights from memory, against L2. panel_end: "
            "rows of this length, against as many bytes in\nrows of twice the length (L2: their sums alone).\n");
    return code;
}

/* ---- measuring ---- */

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct options *options = given;
    unsigned samples = options->measuring.samples;
    struct watched watched = {.command = command_name, .json = options->measuring.json};
    const struct effort effort =
        protocol_effort(samples ? samples : PAIRS, ROUNDS, samples ? 0 : SETTLED, samples ? 0 : PATIENCE_S);
    int code = add_cells(session, cells, options);
    if (!code)
        code = watched_open(&watched, &options->run, session);
    if (code)
        return code;
    code = watched_measure(&watched, session, cells, &effort);
    if (!code)
        code = print_all(session, cells, options);
    if (!code && !watched.interrupted)
        code = warn_where_no_samples(command_name, cells, &cell_kind_term);
    return watched_close(&watched, session, cells, code);
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0}, {&samples_argp, 0, NULL, 0},
                                                 {&plugins_argp, 0, NULL, 0},   {&saving_argp, 0, NULL, 0},
                                                 {&table_argp, 0, NULL, 0},     {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[KERNEL...]",
        .doc =
            "Measure the terms of the time that are neither beta nor gamma: the distance and the level of a prefetch, "
            "places read side by side, page ends, panel ends and the drain of their sums, the synchronization of a "
            "team. Each is the difference between two measurements that have all else in common, taken in pairs. "
            "KERNEL is a kernel's name or leading parts of it; without one, a read stream is measured. Team sizes are "
            "1, 2, 4 ... and every core, unless --threads gives one.",
        .children = children,
    };
    struct options options = {.shape = {.m = 4096, .k = 4096}, .view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    return code ? code : command_session_run(command_name, &options.measuring.request, measure, &options);
}

const struct command command_terms = {
    .name = command_name,
    .summary = "what prefetch, pages, panel ends and memory cost a stream or a kernel",
    .run = run,
    .tables = tables,
};
