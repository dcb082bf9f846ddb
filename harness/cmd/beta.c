/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta.h"
#include "harness/cells/pool.h"
#include "harness/cmd/beta_command/latency.h"
#include "harness/cmd/console/command_session.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/options.h"
#include "harness/cmd/console/quantities.h"
#include "harness/command.h"
#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"
#include "harness/plan/plan_teams.h"
#include "harness/plan/protocol.h"

static const char command_name[] = "beta";

struct options {
    struct measuring_options measuring;
    const char *level;
    bool all, latency;
};

enum { OPTION_ALL = 0x200, OPTION_LATENCY };

static const struct argp_option option_table[] = {
    {"level", 'l', "LEVEL", 0, "Where the data lies: memory (default), L1, L2, L3 or all", 0},
    {"all", OPTION_ALL, NULL, 0, "Print every stream of the search, not only the fastest", 0},
    {"latency", OPTION_LATENCY, NULL, 0,
     "What one load takes that waits for the one before: of every level (or of --level), and of memory while the other "
     "cores read",
     0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = state->child_inputs[1] = &options->measuring; return 0;
    case OPTION_ALL: options->all = true; return 0;
    case OPTION_LATENCY: options->latency = true; return 0;
    case 'l': options->level = option_level(argument, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/** @return false for a row without a number */
static bool print_cell(const struct cell *cell)
{
    struct graded bandwidth = beta_bandwidth(cell), beta = beta_summary(cell);
    const struct summary *kept = &bandwidth.summary;
    bool roof = beta_cell(cell)->roof;
    char label[80];
    session_stream_label(&beta_cell(cell)->stream, label, sizeof label);
    printf("%s%-7s %3u  %-26s", roof ? console_bold() : "", beta_cell(cell)->level, cell->threads, label);
    if (isfinite(stats_stated(kept)))
        printf(" %8.2f %8.2f", 1e-9 * kept->median, 1e-9 * kept->max);
    else
        printf(" %8s %8s", "-", "-");
    if (isfinite(summary_stated(beta)))
        printf(" %8.3f", beta.summary.median);
    else
        printf(" %8s", "-");
    printf(" %-6s %4zu %4zu%s%s\n", beta.grade, kept->n, kept->rejected, roof ? "  roof" : "  search",
           roof ? console_plain() : "");
    return isfinite(stats_stated(kept));
}

/**
 * The roof of one level and team, by its own samples, then the streams of the search by theirs: those that were looked at
 * closely, or all of them.
 * @return 1 if the roof has no number, else 0
 */
static size_t print_part(const struct cells *cells, size_t first, size_t end, bool all)
{
    enum { SHOWN = 8 };
    size_t few = 0;
    bool printed[4096] = {false};
    size_t shown = 0;
    for (size_t i = first; i < end; i++) {
        if (beta_cell(&cells->cell[i]) && beta_cell(&cells->cell[i])->roof &&
            beta_bandwidth(&cells->cell[i]).summary.median > 0) {
            few += !print_cell(&cells->cell[i]);
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
        print_cell(best);
    }
    return few;
}

/** How much memory is cold, of what the machine states its caches to be. */
static void print_pool(const struct session *session, const struct cells *cells)
{
    const struct cell *of;
    struct pool_verdict verdict = pool_verdict(cells, &of);
    double pool = 1e-6 * (double)session_cold_bytes(session, 1), stated = 1e-6 * (double)session->llc_bytes;
    if (verdict.end == POOL_SETTLED)
        printf(
            "\ncold: %u times the %.0f MB of last-level cache that the machine states is read no faster than more; the "
            "pool has %.0f MB\n",
            pool_cell(of)->times, stated, pool);
    else if (verdict.end == POOL_FALLS)
        printf("\ncold: not known: %u times the %.0f MB of last-level cache that the machine states is still read more "
               "slowly than less; the pool has %.0f MB\n",
               pool_cell(of)->times, stated, pool);
    for (size_t i = 0; i < cells->count; i++) {
        if (pool_cell(&cells->cell[i]) && verdict.end != POOL_SETTLED && cells->cell[i].why[0])
            printf("%s\n", cells->cell[i].why);
    }
}

static int measure(const void *given, struct session *session, struct cells *cells)
{
    const struct options *options = given;
    char why[SESSION_WHY];
    unsigned sizes[16] = {session->threads};
    size_t teams = options->measuring.threads_given ? 1 : plan_team_sizes(session->threads, sizes);
    bool all_levels = options->level && strcmp(options->level, "all") == 0;
    if (options->level && !all_levels && !session_has_level(session, options->level))
        return complain(EXIT_USAGE, command_name, "this machine reports no %s cache; choose another --level",
                        options->level);
    if (options->latency) {
        const struct latency_request request = {.level = all_levels ? NULL : options->level,
                                                .sizes = sizes,
                                                .teams = teams,
                                                .samples = options->measuring.samples,
                                                .json = options->measuring.json};
        return beta_command_latency(command_name, &request, session, cells);
    }
    size_t few = 0;
    if (!options->measuring.json)
        printf("%-7s %3s  %-26s %8s %8s %8s %-6s %4s %4s\n", "level", "thr", "stream", "GB/s", "max", "B/c/core",
               "grade", "n", "rej");
    for (size_t level = 0; level < (all_levels ? SESSION_LEVELS : 1); level++) {
        const char *name = all_levels ? session_levels[level] : options->level ? options->level : "memory";
        if (!session_has_level(session, name)) {
            complain(0, command_name, "no %s cache is reported here; skipped", name);
            continue;
        }
        for (size_t t = 0; t < teams; t++) {
            size_t first = cells->count, failed = 0;
            struct execution execution = {.roof_samples = options->measuring.samples};
            int error = protocol_roof(session, cells, name, sizes[t], &execution, &failed);
            if (error) {
                protocol_why(cells, failed, error, why, sizeof why);
                return complain(EXIT_USAGE, command_name, "%s", why);
            }
            if (!options->measuring.json)
                few += print_part(cells, first, cells->count, options->all);
        }
    }
    print_few_remedy(few);
    if (!options->measuring.json)
        print_pool(session, cells);
    for (size_t i = 0; options->measuring.json && i < cells->count; i++) {
        json_t *record = summary_record(session, cells, &cells->cell[i]);
        if (record && print_record(command_name, record))
            return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    static const struct argp_child children[] = {{&measuring_argp, 0, NULL, 0}, {&samples_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .doc =
            "Measure beta: bytes per core cycle one core reads while all cores of the team read. Read streams of "
            "several load widths, numbers of places, prefetch hints and distances are tried; the fastest becomes the "
            "roof, and beta is what it reads in samples taken after that. "
            "Without --threads, team sizes 1, 2, 4 ... and every core.",
        .children = children,
    };
    struct options options = {0};
    int code = parse_options(&argp, argc, argv, &options);
    if (!code && options.latency && options.all)
        return complain(EXIT_USAGE, command_name, "--all prints streams and --latency reads none; give one of them");
    return code ? code : command_session_run(command_name, &options.measuring.request, measure, &options);
}

const struct command command_beta = {
    .name = command_name,
    .summary = "bytes per cycle a core reads while all cores read, per memory level and team",
    .run = run,
};
