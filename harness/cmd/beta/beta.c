/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/pool/pool.h"
#include "harness/cmd/beta/levels.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/fastest.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/options/device_option.h"
#include "harness/cmd/console/quantities.h"
#include "harness/cmd/console/table.h"
#include "harness/cmd/console/watched.h"
#include "harness/command/command.h"
#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"
#include "harness/measure/session_stream.h"
#include "harness/plan/plan_axes.h"
#include "harness/plan/protocol.h"
#include "micro/stream.h"
#include "platforms/cpu/isa.h"

static const char command_name[] = "beta";

struct options {
    struct measuring_options measuring;
    struct run_request run;
    const char *level;
    bool all;
    const struct instead *instead; /* NULL: read roofs */
    const char *device_name;
    struct device device;
    struct table_view view;
};

enum { OPTION_ALL = 0x200, OPTION_LATENCY, OPTION_TILES, OPTION_DEVICE };

static const struct argp_option option_table[] = {
    {"level", 'l', "LEVEL", 0, "Where the data lies: memory (default), L1, L2, L3 or all", 0},
    {"all", OPTION_ALL, NULL, 0, "Print every stream of the search, not only the fastest", 0},
    {"latency", OPTION_LATENCY, NULL, 0,
     "Latency of dependent loads: of every level (or of --level), and of memory while the other cores read", 0},
    {"tiles", OPTION_TILES, NULL, 0,
     "What a tile of a matrix unit takes, loaded alone and multiplied, of every level (or of --level)", 0},
    {"device", OPTION_DEVICE, "DEVICE", 0,
     "Roofs of an OpenCL device: opencl:0, or a part of its name as `info` lists it", 0},
    {0},
};

static error_t choose_instead(struct options *options, const struct instead *instead, const struct argp_state *state)
{
    if (options->instead && options->instead != instead)
        argp_error(state, "%s and %s measure different things; give one of the two", options->instead->option,
                   instead->option);
    options->instead = instead;
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &options->measuring;
        state->child_inputs[2] = &options->run;
        state->child_inputs[3] = &options->view;
        return 0;
    case OPTION_ALL: options->all = true; return 0;
    case OPTION_LATENCY: return choose_instead(options, &beta_latency, state);
    case OPTION_DEVICE: options->device_name = argument; return choose_instead(options, &beta_device, state);
    case OPTION_TILES: return choose_instead(options, &beta_tiles, state);
    case 'l': options->level = option_level(argument, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- printing ---- */

static const char *purpose_text(const json_t *record, char *text, size_t size)
{
    snprintf(text, size, "%s", json_is_true(json_object_get(record, "roof")) ? "roof" : "search");
    return text;
}

static bool is_roof(const json_t *record)
{
    return json_is_true(json_object_get(record, "roof"));
}

static const struct table_column columns[] = {
    {"level", "level", .left = true},
    {"thr", .field = "threads"},
    {"stream", "stream", .left = true},
    {"GB/s", "bytes_per_s", TABLE_NUMBER, .scale = 1e-9, .digits = 2, .rank = 2},
    {"+-", "bytes_per_s", TABLE_HALF, .scale = 1e-9, .digits = 2, .rank = 5},
    {"B/c/core", "bytes_per_cycle_per_core", TABLE_NUMBER, .digits = 3, .rank = 1},
    {"+-", "bytes_per_cycle_per_core", TABLE_HALF, .digits = 3, .rank = 3},
    {"grade", "bytes_per_cycle_per_core", TABLE_GRADE, .rank = 4, .left = true},
    {"n", "bytes_per_s", TABLE_KEPT, .rank = 6},
    {"rej", "bytes_per_s", TABLE_REJECTED, .rank = 7},
    {"use", "roof", .text = purpose_text, .left = true},
};

static const struct table beta_table = {"beta", "Read streams", columns, sizeof columns / sizeof *columns,
                                        .stands_out = is_roof};

static const struct table *const tables[] = {&beta_table, &latency_table, &tiles_table, &device_table, NULL};

/** @return false for a row without a number */
static bool add_row(const struct session *session, const struct cells *cells, const struct cell *cell, json_t *rows)
{
    struct graded bandwidth = beta_bandwidth(cell);
    json_array_append_new(rows, summary_record(session, cells, cell));
    return isfinite(stats_stated(&bandwidth.summary));
}

/**
 * The roof of one level and team, by its own samples, then the streams of the search by theirs: those that were looked at
 * closely, or all of them.
 * @return 1 if the roof has no number, else 0
 */
static size_t add_rows(const struct session *session, const struct cells *cells, size_t first, bool all, json_t *rows)
{
    size_t end = cells->count;
    enum { SHOWN = 8 };
    size_t few = 0;
    bool printed[4096] = {false};
    size_t shown = 0;
    for (size_t i = first; i < end; i++) {
        if (beta_cell(&cells->cell[i]) && beta_cell(&cells->cell[i])->roof &&
            beta_bandwidth(&cells->cell[i]).summary.median > 0) {
            few += !add_row(session, cells, &cells->cell[i], rows);
            printed[i - first] = true;
            shown++;
        }
    }
    for (; shown < (all ? end - first : SHOWN); shown++) {
        const struct cell *best = NULL;
        double most = 0;
        for (size_t i = first; i < end; i++) {
            const struct cell *cell = &cells->cell[i];
            if (!beta_cell(cell))
                continue;
            struct graded read = beta_bandwidth(cell);
            double bandwidth = all ? read.summary.median : summary_stated(read);
            if (!printed[i - first] && bandwidth > most) {
                most = bandwidth;
                best = cell;
            }
        }
        if (!best)
            break;
        printed[best - &cells->cell[first]] = true;
        add_row(session, cells, best, rows);
    }
    return few;
}

/** "5.30 B/cycle (13.38 GB/s) with one core", "5.29 B/cycle a core (26.56 GB/s) with 2": of a roof. */
static void roof_text(const json_t *roof, char *text, size_t size)
{
    long long threads = json_integer_value(json_object_get(roof, "threads"));
    double per_cycle = fastest_quantity(roof, "bytes_per_cycle_per_core").median,
           per_second = 1e-9 * fastest_quantity(roof, "bytes_per_s").median;
    char core[32] = "with one core";
    if (threads != 1)
        snprintf(core, sizeof core, "with %lld", threads);
    if (isfinite(per_cycle))
        snprintf(text, size, "%.2f B/cycle%s (%.2f GB/s) %s", per_cycle, threads == 1 ? "" : " a core", per_second,
                 core);
    else
        snprintf(text, size, "%.2f GB/s %s", per_second, core);
}

/** The roofs that have a number, those of a level on one line. */
static void print_roofs(const json_t *rows)
{
    char text[4096] = "", roof[128]; /* with room for the end */
    const char *former = "";
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *level = json_string_value(json_object_get(row, "level"));
        const size_t used = strlen(text);
        if (!is_roof(row) || isnan(fastest_quantity(row, "bytes_per_s").median))
            continue;
        roof_text(row, roof, sizeof roof);
        if (strcmp(level, former) == 0)
            snprintf(text + used, sizeof text - 2 - used, ", %s", roof);
        else
            snprintf(text + used, sizeof text - 2 - used, "%s%s: %s", *former ? "\n" : "", level, roof);
        former = level;
    }
    if (*former) {
        strcat(text, "\n\n");
        console_print_text(text);
    }
}

/** "0.26 MB", "110 MB". */
static void megabytes(uint64_t bytes, char *text, size_t size)
{
    double value = 1e-6 * (double)bytes;
    snprintf(text, size, "%.*f MB", value < 10 ? 2 : 0, value);
}

/** How much memory is cold, of what the machine states its caches to be. */
static void print_pool(const struct session *session, const struct cells *cells)
{
    const struct cell *of;
    struct pool_verdict verdict = pool_verdict(cells, &of);
    char pool[32], stated[32];
    megabytes(session_cold_bytes(session, 1), pool, sizeof pool);
    megabytes(session_stated_bytes(session), stated, sizeof stated);
    const bool settled = verdict.end == POOL_SETTLED;
    char text[320];
    if (!settled && verdict.end != POOL_FALLS)
        return;
    snprintf(text, sizeof text, "\ncold: %sbuffers of %u times the last-level cache (%s, %s) %s; %s used\n",
             settled ? "" : "not known: ", pool_cell(of)->times, stated,
             session->llc_bytes ? "as reported" : "assumed: none reported",
             settled ? "and more read equally fast, so they are cold" : "still read more slowly than smaller ones",
             pool);
    console_print_text(text);
}

static int print_text(const struct session *session, const struct cells *cells, const struct options *options,
                      const json_t *rows, size_t few)
{
    print_roofs(rows);
    int code = table_show(command_name, &beta_table, rows, &options->view);
    print_few_remedy(few);
    print_pool(session, cells);
    return code;
}

/* ---- measuring ---- */

/** Of which levels and teams. */
struct work {
    const char *level; /* NULL: all */
    const unsigned *sizes;
    size_t teams;
};

/** The roofs, one after the other, and their rows; of an interrupted one as far as it got. @return exit code */
static int measure_roofs(const struct options *options, const struct work *work, struct session *session,
                         struct cells *cells, struct watched *watched, json_t *rows, size_t *few)
{
    char why[SESSION_WHY];
    const char *levels[SESSION_LEVELS];
    size_t level_count = 0, failed = 0;
    int error = 0;
    for (size_t i = 0; i < SESSION_LEVELS; i++) {
        const char *name = session_levels[i];
        if (work->level && strcmp(name, work->level) != 0)
            continue;
        if (session_has_level(session, name))
            levels[level_count++] = name;
        else
            complain(0, command_name, "no %s cache is reported here; skipped", name);
    }
    size_t count = level_count * work->teams;
    struct execution execution = watched_begin(watched);
    execution.roof_samples = options->measuring.samples;
    for (size_t i = 0; !error && i < count; i++) {
        size_t first = cells->count;
        watched->part.begin_fraction = (double)i / (double)count;
        watched->part.end_fraction = (double)(i + 1) / (double)count;
        error =
            protocol_roof(session, cells, levels[i / work->teams], work->sizes[i % work->teams], &execution, &failed);
        if (error && error != -EINTR)
            break;
        if (!error)
            error = execution_final(&execution, cells, cells->count);
        if (!options->measuring.json)
            *few += add_rows(session, cells, first, options->all, rows);
    }
    protocol_why(cells, failed, error, why, sizeof why);
    return watched_end(watched, cells, error, why);
}

bool streams_missing(const struct session *session, bool tiles, char *why, size_t size)
{
    const struct cpuid_dump *dump = &session->machine.dump;
    const char *nearest = NULL, *what = tiles ? "stream of tiles" : "read stream";
    char missing[160];
    for (const struct stream *const *at = stream_all(); *at; at++) {
        if (((*at)->tile_operations > 0) != tiles)
            continue;
        if (session_runs(session, (*at)->isa))
            return false;
        if (!nearest || isa_lacks_less((*at)->isa, nearest, dump))
            nearest = (*at)->isa;
    }
    if (!nearest) {
        snprintf(why, size, "no %s is known for this architecture", what);
        return true;
    }
    isa_missing(isa_find(nearest), dump, missing, sizeof missing);
    snprintf(why, size, "no %s runs on this CPU: %s %s", what, nearest, missing);
    return true;
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct options *options = given;
    unsigned sizes[16] = {session->threads};
    size_t teams = options->measuring.threads_given ? 1 : plan_team_sizes(session->threads, sizes);
    bool all_levels = options->level && strcmp(options->level, "all") == 0;
    if (options->level && !all_levels && !session_has_level(session, options->level))
        return complain(EXIT_USAGE, command_name, "this machine reports no %s cache; choose another --level",
                        options->level);
    if (options->instead) {
        const struct beta_request levels = {
            .level = all_levels ? NULL : options->level, .device = &options->device, .sizes = sizes, .teams = teams};
        const struct instead_request request = {.given = &levels,
                                                .samples = options->measuring.samples,
                                                .json = options->measuring.json,
                                                .run = &options->run,
                                                .view = &options->view};
        return instead_measure(command_name, options->instead, &request, session, cells);
    }
    struct watched watched = {.command = command_name,
                              .shows = "beta",
                              .json = options->measuring.json,
                              .line = watched_line,
                              .given = command_name};
    char why[SESSION_WHY];
    if (streams_missing(session, false, why, sizeof why))
        return complain(EXIT_USAGE, command_name, "%s", why);
    int code = watched_open(&watched, &options->run, session);
    if (code)
        return code;
    const struct work work = {.level = all_levels       ? NULL
                                       : options->level ? options->level
                                                        : "memory",
                              .sizes = sizes,
                              .teams = teams};
    json_t *rows = json_array();
    size_t few = 0;
    code = measure_roofs(options, &work, session, cells, &watched, rows, &few);
    if (!code && watched.interrupted && !options->measuring.json && !json_array_size(rows))
        code = watched_blank(&watched);
    if (!code)
        code = options->measuring.json ? watched_lines(&watched, cells, cells->count)
                                       : print_text(session, cells, options, rows, few);
    json_decref(rows);
    if (!code && !watched.interrupted)
        code = tell_if_nothing_kept(command_name, cells, &cell_kind_beta);
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
            "Measure beta: bytes per core cycle one core reads while all cores of the team read. Read streams of "
            "several load widths, numbers of places, prefetch hints and distances are tried; the fastest becomes the "
            "roof, and beta is what it reads in samples taken afterwards. Without --threads, team sizes 1, 2, 4 ... "
            "and every core.",
        .children = children,
    };
    struct options options = {.view.tables = tables};
    int code = parse_options(&argp, argc, argv, &options);
    if (!code && options.instead && options.all)
        return complain(EXIT_USAGE, command_name, "--all prints streams, and %s measures none; give one of the two",
                        options.instead->option);
    if (!code && options.device_name && (options.level || options.measuring.threads_given))
        return device_option_refuse(command_name, options.level ? "--level" : "--threads");
    if (!code && options.device_name)
        code = device_option_find(command_name, options.device_name, &options.device);
    return code ? code : command_session_run(command_name, &options.measuring.request, measure, &options);
}

const struct command command_beta = {
    .name = command_name,
    .summary = "bytes per cycle a core reads while all cores read, per memory level and team",
    .run = run,
    .tables = tables,
};
