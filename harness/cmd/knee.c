/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/gamma/gamma.h"
#include "harness/cells/knee/knee.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/options/name_options.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/console/watched.h"
#include "harness/command/command.h"
#include "harness/measure/session_level.h"
#include "harness/plan/plan_axes.h"
#include "harness/plan/protocol.h"
#include "harness/user/sequence_names.h"
#include "results/records/record.h"

static const char command_name[] = "knee";

struct options {
    struct measuring_options measuring;
    const char *level; /* NULL: all */
    bool all;
    struct name_filter filter;
    struct run_request run;
    struct table_view view;
    char **names;
    int count;
};

enum { OPTION_ALL = 0x200 };

/** Samples of gamma with agreeing clocks to wait for, and for how long. */
enum { GAMMA_SETTLED = BEST_OF_KEPT_LEAST, GAMMA_PATIENCE_S = 10 };

static const struct argp_option option_table[] = {
    {"level", 'l', "LEVEL", 0, "Where the weights lie: memory, L1, L2, L3 or all (default)", 0},
    {"all", OPTION_ALL, NULL, 0, "Print every prefetch distance that was tried, not only the best", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->measuring;
        state->child_inputs[2] = &options->measuring.request.plugins;
        state->child_inputs[3] = &options->filter;
        state->child_inputs[4] = &options->run;
        state->child_inputs[5] = &options->view;
        return 0;
    case OPTION_ALL: options->all = true; return 0;
    case 'l': options->level = option_level(argument, state); return 0;
    case ARGP_KEY_ARGS:
        options->names = state->argv + state->next;
        options->count = state->argc - state->next;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- what is measured ---- */

/** The request resolved: sequences, levels (deepest first) and team sizes (ascending). */
struct work {
    const struct sequence *sequences[SEQUENCE_NAMES_MOST];
    size_t sequence_count;
    const char *levels[SESSION_LEVELS];
    size_t level_count;
    unsigned sizes[16];
    size_t team_count;
};

static int add_named(struct work *work, const struct session *session, const char *name,
                     const struct name_filter *filter)
{
    const struct sequence *found[SEQUENCE_NAMES_MOST];
    char why[SESSION_WHY];
    int count = sequence_names_find(session, name, filter, found, SEQUENCE_NAMES_MOST, why, sizeof why);
    for (int i = 0; i < count; i++) {
        size_t at = 0;
        while (at < work->sequence_count && work->sequences[at] != found[i])
            at++;
        if (at == work->sequence_count)
            work->sequences[work->sequence_count++] = found[i];
    }
    return count < 0 ? complain(exit_code_of(count), command_name, "%s", why) : 0;
}

static int add_levels(struct work *work, const struct session *session, const char *wanted)
{
    bool all = !wanted || strcmp(wanted, "all") == 0;
    for (size_t i = 0; i < SESSION_LEVELS; i++) {
        const char *level = session_levels[i];
        if (!all && strcmp(wanted, level) != 0)
            continue;
        if (session_has_level(session, level))
            work->levels[work->level_count++] = level;
        else if (all)
            complain(0, command_name, "no %s cache is reported here; skipped", level);
    }
    if (!work->level_count)
        return complain(EXIT_USAGE, command_name, "this machine reports no %s cache; choose another --level", wanted);
    return 0;
}

static int resolve(struct work *work, const struct session *session, const struct options *options)
{
    work->sizes[0] = session->threads;
    work->team_count = options->measuring.threads_given ? 1 : plan_team_sizes(session->threads, work->sizes);
    char why[SESSION_WHY];
    if (name_filter_check(&options->filter, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    int code = add_levels(work, session, options->level);
    for (int i = 0; !code && i < options->count; i++)
        code = add_named(work, session, options->names[i], &options->filter);
    return code || options->count ? code : add_named(work, session, NULL, &options->filter);
}

static int measure_roofs(struct session *session, struct cells *cells, const struct work *work,
                         const struct execution *execution, size_t *failed)
{
    int error = 0;
    for (size_t level = 0; !error && level < work->level_count; level++) {
        for (size_t t = 0; !error && t < work->team_count; t++)
            error = protocol_roof(session, cells, work->levels[level], work->sizes[t], execution, failed);
    }
    return error;
}

static int measure_gammas(struct session *session, struct cells *cells, const struct work *work,
                          const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    int error = 0;
    for (size_t s = 0; !error && s < work->sequence_count; s++)
        error = gamma_add(cells, work->sequences[s], 0);
    const struct effort swept = {.settled = GAMMA_SETTLED, .patience_s = GAMMA_PATIENCE_S};
    return error ? error : protocol_measure(session, cells, first, cells->count, &swept, execution, failed);
}

static int measure_knees(struct session *session, struct cells *cells, const struct work *work, unsigned pairs,
                         const struct execution *execution, size_t *failed)
{
    size_t first = cells->count;
    int error = 0;
    for (size_t s = 0; !error && s < work->sequence_count; s++)
        error = knee_add(cells, work->sequences[s], work->levels, work->level_count, work->sizes, work->team_count);
    return error ? error : knee_measure(session, cells, first, cells->count, pairs, execution, failed);
}

/** @return exit code */
static int measure_all(struct session *session, struct cells *cells, const struct work *work, unsigned pairs,
                       struct watched *watched)
{
    static const double ROOFS = 0.1, GAMMAS = 0.3;
    char why[SESSION_WHY];
    size_t failed = 0;
    const struct execution execution = watched_begin(watched);
    watched->part.end_fraction = ROOFS;
    int error = measure_roofs(session, cells, work, &execution, &failed);
    watched->part.begin_fraction = ROOFS;
    watched->part.end_fraction = GAMMAS;
    if (!error)
        error = measure_gammas(session, cells, work, &execution, &failed);
    watched->part.begin_fraction = GAMMAS;
    watched->part.end_fraction = 1;
    if (!error)
        error = measure_knees(session, cells, work, pairs, &execution, &failed);
    protocol_why(cells, failed, error, why, sizeof why);
    return watched_end(watched, cells, error, why);
}

/* ---- what is printed ---- */

static const char *prefetch_text(const json_t *record, char *text, size_t size)
{
    long long distance = (long long)json_integer_value(json_object_get(record, "prefetch_bytes"));
    snprintf(text, size, "%lld", distance);
    return distance ? text : "none";
}

static const char *time_text(const json_t *record, char *text, size_t size)
{
    const json_t *residual = json_object_get(record, "residual");
    snprintf(text, size, "%+.0f%%", 100 * json_number_value(residual));
    return json_is_number(residual) ? text : "-";
}

static const char *note_text(const json_t *record, char *text, size_t size)
{
    bool valid =
        !json_is_true(json_object_get(record, "above_roof")) && !json_is_true(json_object_get(record, "above_gamma"));
    bool chosen = json_is_true(json_object_get(record, "chosen"));
    snprintf(text, size, "%s%s%s", chosen ? "" : "tried", chosen || valid ? "" : " ", valid ? "" : "not valid");
    return text;
}

static const struct table_column columns[] = {
    {"sequence", "name", .left = true},
    {"acc", "accumulators", .rank = 9},
    {"level", "level", .left = true},
    {"thr", .field = "threads"},
    {"prefetch", "prefetch_bytes", .text = prefetch_text, .rank = 6},
    {"beta", "beta", TABLE_NUMBER, .digits = 2, .rank = 2},
    {"B/gamma", "knee", TABLE_NUMBER, .digits = 2, .rank = 3},
    {"e_bw", "e_bw", TABLE_NUMBER, .digits = 2, .rank = 1},
    {"model", "predicted", TABLE_NUMBER, .digits = 2, .rank = 4},
    {"serial", "predicted_serial", TABLE_NUMBER, .digits = 2, .rank = 8},
    {"omega", "omega", TABLE_NUMBER, .digits = 2, .rank = 5},
    {"+-", "omega", TABLE_HALF, .digits = 2, .rank = 10},
    {"time", "residual", .text = time_text, .rank = 4},
    {"grade", "e_bw", TABLE_GRADE, .rank = 7, .left = true},
    {"n", "e_bw", TABLE_KEPT, .rank = 11},
};

static const struct table knee_table = {
    "knee", "Sequences as streams", columns, sizeof columns / sizeof *columns, .needs = "e_bw", .note = note_text};

static const struct table *const tables[] = {&knee_table, NULL};

static int print_table(const struct options *options, const json_t *rows)
{
    int code = table_show(command_name, &knee_table, rows, &options->view);
    print_few_remedy(table_rows_lacking(&knee_table, rows));
    console_print_text(
        "\nBytes per core cycle of one core while all of the team read. beta: the read stream beside it. B/gamma: the "
        "knee.\ne_bw: the sequence with the loads of its weights. model: min(beta, B/gamma). serial: without any "
        "overlap.\nomega: how much of the shorter of reading and computing overlaps the longer, and half its 95% "
        "interval: 1 is the\nmodel, 0 is serial, - if one side is too small to tell; a kernel has its own omega "
        "(kneepoint gemv). time: measured over the model's, minus 1.\n");
    return code;
}

/** @return EXIT_DONE, or a code after complaining; *printed is how many records there were */
static int print_all(const struct session *session, const struct cells *cells, const struct options *options,
                     size_t *printed)
{
    json_auto_t *rows = json_array();
    int code = EXIT_DONE;
    *printed = 0;
    for (size_t i = 0; !code && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = knee_cell(cell) ? summary_record(session, cells, cell) : NULL;
        if (!record)
            continue;
        (*printed)++;
        if (options->measuring.json)
            code = print_record(command_name, json_incref(record)) ? EXIT_USAGE : EXIT_DONE;
        else if (options->all || json_is_true(json_object_get(record, "chosen")))
            json_array_append(rows, record);
        json_decref(record);
    }
    if (!code && *printed && !options->measuring.json)
        code = print_table(options, rows);
    return code;
}

/** First reason of a knee cell that was left out. */
static const char *reason(struct cells *cells)
{
    knee_say_why(cells);
    for (size_t i = 0; i < cells->count; i++) {
        if (knee_cell(&cells->cell[i]) && cells->cell[i].why[0])
            return cells->cell[i].why;
    }
    return "no sample was kept";
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    static struct work work; /* large */
    const struct options *options = given;
    struct watched watched = {.command = command_name, .shows = "knee", .json = options->measuring.json};
    int code = resolve(&work, session, options);
    if (!code)
        code = watched_open(&watched, &options->run, session);
    if (code)
        return code;
    size_t printed = 0;
    code = measure_all(session, cells, &work, options->measuring.samples, &watched);
    if (!code)
        code = print_all(session, cells, options, &printed);
    if (!code && !watched.interrupted) {
        code = warn_where_no_samples(command_name, cells, &cell_kind_knee);
        bool is_said = printed || session->plugins.faults; /* what is withheld is said where the session is closed */
        if (!code && !is_said)
            code = complain(EXIT_INCONCLUSIVE, command_name, "%s", reason(cells));
    }
    return watched_close(&watched, session, cells, code);
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0},
                                                 {&samples_argp, 0, NULL, 0},
                                                 {&plugins_argp, 0, NULL, 0},
                                                 {&names_argp, 0, NULL, 0},
                                                 {&saving_argp, 0, NULL, 0},
                                                 {&table_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "[NAME...]",
        .doc =
            "Test the model: stream the weights of up-convert sequences from each level of the memory, without and "
            "with software prefetch, and compare the bytes per core cycle that a core attains with min(beta, B/gamma). "
            "beta is read beside each sample, gamma just before. NAME is a sequence, the beginning of its name or a "
            "shell pattern; without one, every sequence that runs here. Without --threads, team sizes 1, 2, 4 ... and "
            "every core.",
        .children = children,
    };
    struct options options = {.view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    return code ? code : command_session_run(command_name, &options.measuring.request, measure, &options);
}

const struct command command_knee = {
    .name = command_name,
    .summary = "sequences as streams from every memory level and team, against the model",
    .run = run,
    .tables = tables,
};
