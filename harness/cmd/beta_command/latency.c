/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/beta_command/latency.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/latency.h"
#include "harness/cmd/console/console.h"
#include "harness/exit_code.h"
#include "harness/measure/session_level.h"
#include "harness/plan/protocol.h"

/** Samples in so many visits, and how many are to be kept, for how long at most. */
enum { ROUNDS = 3, SAMPLES = 24, SETTLED = 6, PATIENCE_S = 10 };

static int add_loaded(const struct latency_request *request, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t t = 0; !error && t < request->teams; t++) {
        if (request->sizes[t] > 1)
            error = latency_add_loaded(cells, session, request->sizes[t]);
    }
    return error;
}

static int add_cells(const struct latency_request *request, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t i = 0; !error && i < SESSION_LEVELS; i++) {
        const char *level = session_levels[SESSION_LEVELS - 1 - i];
        if (session_has_level(session, level) && (!request->level || strcmp(request->level, level) == 0))
            error = latency_add(cells, session, level);
    }
    bool memory = !request->level || strcmp(request->level, "memory") == 0;
    return error || !memory ? error : add_loaded(request, session, cells);
}

static void print_row(const struct cell *cell)
{
    const struct latency_cell *own = latency_cell(cell);
    struct graded time = latency_time(cell), cycles = latency_cycles(cell);
    char size[32], pause[16] = "idle";
    if (own->bytes >= 1 << 20)
        snprintf(size, sizeof size, "%.1f MB", (double)own->bytes / (1 << 20));
    else
        snprintf(size, sizeof size, "%zu KB", own->bytes >> 10);
    if (own->loaded)
        snprintf(pause, sizeof pause, "%u", own->pause);
    printf("%-7s %9s %7u %6s", own->level, size, own->loaded ? cell->threads - 1 : 0, pause);
    print_number(own->loaded ? 1e-9 * summary_stated(latency_load(cell)) : NAN, 9, 2, "");
    print_number(1e9 * summary_stated(time), 8, 2, "");
    print_number(summary_stated(cycles), 8, 1, "");
    print_number(1e9 * time.summary.ci95[0], 8, 2, "");
    print_number(1e9 * time.summary.ci95[1], 8, 2, "");
    printf("  %-6s %3zu %3zu\n", cycles.grade, time.summary.n, time.summary.rejected);
}

static int print_all(const struct session *session, const struct cells *cells, bool json, const char *command)
{
    if (!json)
        printf("%-7s %9s %7s %6s %9s %8s %8s %8s %8s  %-6s %3s %3s\n", "level", "lines in", "readers", "pause",
               "read GB/s", "ns", "cycles", "from", "to ns", "grade", "n", "rej");
    for (size_t i = 0; i < cells->count; i++) {
        if (!json) {
            print_row(&cells->cell[i]);
            continue;
        }
        json_t *record = summary_record(session, cells, &cells->cell[i]);
        if (record && print_record(command, record))
            return EXIT_USAGE;
    }
    if (!json)
        puts("\nA load that waits for the one before, over cache lines in random order: median and 95% interval. "
             "readers: cores that\nread streams from memory meanwhile, with a pause of so many cycles after each line; "
             "what all of them attain.");
    return EXIT_DONE;
}

int beta_command_latency(const char *command, const struct latency_request *request, struct session *session,
                         struct cells *cells)
{
    char why[SESSION_WHY];
    size_t failed = 0;
    const struct execution execution = {0};
    struct effort effort = protocol_effort(request->samples ? request->samples : SAMPLES, ROUNDS,
                                           request->samples ? 0 : SETTLED, request->samples ? 0 : PATIENCE_S);
    int error = add_cells(request, session, cells);
    if (!error)
        error = protocol_measure(session, cells, 0, cells->count, &effort, &execution, &failed);
    if (error) {
        protocol_why(cells, failed, error, why, sizeof why);
        return complain(EXIT_USAGE, command, "%s", why);
    }
    return print_all(session, cells, request->json, command);
}
