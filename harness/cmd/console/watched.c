/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/watched.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/interruption.h"
#include "harness/command/command.h"
#include "harness/plan/protocol.h"
#include "platforms/clock/clock.h"
#include "results/statistics/stats.h"

/* ---- options ---- */

enum { OPTION_RESULTS = 0x400, OPTION_INTO };

static const struct argp_option option_table[] = {
    {"results", OPTION_RESULTS, "DIR", 0, "Save every sample and record in a new run below DIR (default: do not)", 0},
    {"into", OPTION_INTO, "RUN", 0, "Add them to a run of this CPU", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct run_request *run = state->input;
    switch (key) {
    case OPTION_RESULTS: run->results = argument; return 0;
    case OPTION_INTO: run->into = argument; return 0;
    case ARGP_KEY_END:
        run->argc = state->argc;
        run->argv = state->argv;
        if (run->results && run->into)
            argp_error(state, "--results makes a new run and --into adds to an existing one; choose one");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp saving_argp = {.options = option_table, .parser = parse};

/* ---- while it is measured ---- */

static void visited(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    struct watched *watched = context;
    run_writer_visited(&watched->writer, cell, first, roof_first);
}

static int added(void *context, struct cells *cells, size_t first, size_t end)
{
    struct watched *watched = context;
    return run_writer_added(&watched->writer, cells, first, end);
}

static void show(void *context, double fraction, const char *now)
{
    struct watched *watched = context;
    progress_part_show(&watched->part, fraction, now);
}

int watched_line(const void *command, const struct session *session, const struct cells *cells, const struct cell *cell)
{
    json_t *record = summary_record(session, cells, cell);
    return record ? print_record(command, record) : EXIT_DONE;
}

int watched_lines(struct watched *watched, const struct cells *cells, size_t end)
{
    for (; !watched->code && watched->lines < end; watched->lines++)
        watched->code = watched->line(watched->given, watched->session, cells, &cells->cell[watched->lines]);
    return watched->code;
}

static void say_done(struct watched *watched, const struct cells *cells, size_t end)
{
    char text[512];
    for (; watched->lines < end; watched->lines++) {
        if (*watched->done(watched->given, watched->session, cells, &cells->cell[watched->lines], text, sizeof text))
            progress_say(&watched->part.progress, text);
    }
}

/** A fault of a plug-in withholds all that it has, measured before or not: with plug-ins all lines wait for the end. */
static int final(void *context, const struct cells *cells, size_t end)
{
    struct watched *watched = context;
    if (!watched->json && watched->done)
        say_done(watched, cells, end);
    if (!watched->json || !watched->line || watched->session->plugins.count)
        return 0;
    return watched_lines(watched, cells, end) ? -EIO : 0;
}

int watched_open(struct watched *watched, const struct run_request *run, struct session *session)
{
    char why[SESSION_WHY];
    *watched = (struct watched){.command = watched->command,
                                .shows = watched->shows,
                                .json = watched->json,
                                .line = watched->line,
                                .done = watched->done,
                                .given = watched->given,
                                .session = session,
                                .started_s = clock_monotonic_s(),
                                .part.end_fraction = 1};
    interruption_watch();
    command_session_warn_busy(watched->command, session);
    int error = run_writer_open(&watched->writer, run, session, NULL, why, sizeof why);
    if (error)
        return complain(error == -EXDEV ? EXIT_INCOMPARABLE : EXIT_USAGE, watched->command, "%s", why);
    if (!watched->writer.created || !run_writer_machine(&watched->writer, session, why, sizeof why))
        return EXIT_DONE;
    run_writer_close(&watched->writer);
    return complain(EXIT_USAGE, watched->command, "%s", why);
}

struct execution watched_begin(struct watched *watched)
{
    progress_begin(&watched->part.progress, watched->command);
    return (struct execution){.stop = interruption_watch(),
                              .visited = visited,
                              .added = added,
                              .final = final,
                              .progress = show,
                              .context = watched};
}

/* ---- afterwards ---- */

/** Cells with samples enough for a number, with fewer, without any. */
struct counts {
    size_t numbers, few, none;
};

/** @param kind  of the cells; NULL: any */
static struct counts count(const struct cells *cells, const char *kind)
{
    struct counts counts = {0};
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->why[0] || (kind && strcmp(kind, cell->kind->name) != 0))
            continue;
        size_t kept = cell_kept(cell);
        counts.numbers += kept >= STATS_KEPT_LEAST;
        counts.few += kept && kept < STATS_KEPT_LEAST;
        counts.none += !kept;
    }
    return counts;
}

static bool any_shown(const struct watched *watched, const struct cells *cells)
{
    const struct counts counts = count(cells, watched->json ? NULL : watched->shows);
    return !watched->blank && (counts.numbers || counts.few);
}

int watched_end(struct watched *watched, const struct cells *cells, int error, const char *why)
{
    progress_end(&watched->part.progress);
    if (watched->code)
        return watched->code;
    if (error && error != -EINTR)
        return complain(exit_code_of(error), watched->command, "%s", why);
    watched->measured = true;
    watched->interrupted = error == -EINTR;
    return watched->interrupted && !any_shown(watched, cells) ? EXIT_INTERRUPTED : EXIT_DONE;
}

int watched_measure(struct watched *watched, struct session *session, struct cells *cells, const struct effort *effort)
{
    char why[SESSION_WHY];
    size_t failed = 0;
    struct execution execution = watched_begin(watched);
    execution.keep_going = true;
    int error = protocol_measure(session, cells, 0, cells->count, effort, &execution, &failed);
    protocol_why(cells, failed, error, why, sizeof why);
    return watched_end(watched, cells, error, why);
}

int watched_blank(struct watched *watched)
{
    watched->blank = true;
    return EXIT_INTERRUPTED;
}

static int print_path(const struct watched *watched)
{
    const char *path = run_writer_path(&watched->writer);
    if (watched->json)
        return print_record(watched->command,
                            json_pack("{s:s, s:s, s:s}", "type", "run", "name", watched->command, "path", path));
    printf("\nsaved: %s\n", path);
    return EXIT_DONE;
}

/** Below what was printed: that it is cut off. */
static int print_cut(const struct watched *watched, const struct cells *cells)
{
    const struct counts counts = count(cells, NULL);
    if (watched->json)
        return print_record(watched->command,
                            json_pack("{s:s, s:s, s:I, s:I, s:I}", "type", "interrupted", "name", watched->command,
                                      "cells", (json_int_t)counts.numbers, "cells_few", (json_int_t)counts.few,
                                      "cells_unreached", (json_int_t)counts.none));
    printf("\ncut off: at least %d samples in %zu cells, fewer in %zu, none in %zu\n", STATS_KEPT_LEAST, counts.numbers,
           counts.few, counts.none);
    return EXIT_DONE;
}

/** What there is of an interrupted measurement, and where. */
static int tell_interrupted(const struct watched *watched, const struct cells *cells)
{
    const char *path = run_writer_path(&watched->writer);
    const bool shown = any_shown(watched, cells);
    int code = shown ? print_cut(watched, cells) : EXIT_DONE;
    if (!code && path && watched->json)
        code = print_path(watched);
    fflush(stdout);
    if (path)
        complain(0, watched->command, "interrupted; the samples so far are in %s", path);
    else if (shown)
        complain(0, watched->command, "interrupted; what was measured is printed, but not saved (--results saves it)");
    else
        complain(0, watched->command, "interrupted before there was anything to print");
    return code ? code : EXIT_INTERRUPTED;
}

int watched_close(struct watched *watched, const struct session *session, struct cells *cells, int code)
{
    char why[SESSION_WHY];
    double seconds = clock_monotonic_s() - watched->started_s;
    const struct run_end end = {.command = watched->command,
                                .interrupted = watched->interrupted,
                                .unreached = watched->interrupted ? "it was interrupted before" : NULL,
                                .seconds = seconds,
                                .budget_s = seconds};
    const struct run_end *new_end = watched->writer.created ? &end : NULL;
    if (watched->measured && run_writer_finish(&watched->writer, session, cells, new_end, why, sizeof why))
        code = complain(EXIT_USAGE, watched->command, "%s", why);
    else if (watched->interrupted && (!code || code == EXIT_INTERRUPTED))
        code = tell_interrupted(watched, cells);
    else if (watched->writer.run && (!code || code == EXIT_INCONCLUSIVE) && print_path(watched))
        code = EXIT_USAGE;
    run_writer_close(&watched->writer);
    return code;
}
