/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/beta/latency.h"

#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/latency/latency.h"
#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/watched.h"
#include "harness/command/exit_code.h"
#include "harness/measure/session_level.h"
#include "harness/plan/protocol.h"

/** Samples in this many visits, and how many are to be kept, for how long at most. */
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

static const char *size_text(const json_t *record, char *text, size_t size)
{
    long long bytes = (long long)json_integer_value(json_object_get(record, "bytes"));
    if (bytes >= 1 << 20)
        snprintf(text, size, "%.1f MB", (double)bytes / (1 << 20));
    else
        snprintf(text, size, "%lld KB", bytes >> 10);
    return text;
}

static const char *pause_text(const json_t *record, char *text, size_t size)
{
    const json_t *pause = json_object_get(record, "pause");
    snprintf(text, size, "%lld", (long long)json_integer_value(pause));
    return json_is_integer(pause) ? text : "idle";
}

static const struct table_column columns[] = {
    {.heading = "level", .field = "level", .left = true},
    {.heading = "lines in", .field = "bytes", .text = size_text, .rank = 3},
    {.heading = "readers", .field = "readers"},
    {.heading = "pause", .field = "pause", .text = pause_text},
    {.heading = "read GB/s", .field = "load_bytes_per_s", .value = TABLE_NUMBER, .scale = 1e-9, .digits = 2, .rank = 3},
    {.heading = "ns", .field = "latency_s", .value = TABLE_NUMBER, .scale = 1e9, .digits = 2, .rank = 1},
    {.heading = "cycles", .field = "latency_cycles", .value = TABLE_NUMBER, .digits = 1, .rank = 2},
    {.heading = "from", .field = "latency_s", .value = TABLE_LOW, .scale = 1e9, .digits = 2, .rank = 4},
    {.heading = "to ns", .field = "latency_s", .value = TABLE_HIGH, .scale = 1e9, .digits = 2, .rank = 4},
    {.heading = "grade", .field = "latency_cycles", .value = TABLE_GRADE, .rank = 5, .left = true},
    {.heading = "n", .field = "latency_s", .value = TABLE_KEPT, .rank = 6},
    {.heading = "rej", .field = "latency_s", .value = TABLE_REJECTED, .rank = 7},
};

const struct table latency_table = {
    .type = "latency", .title = "Latency", .columns = columns, .count = sizeof columns / sizeof *columns};

static int print_all(const struct session *session, const struct cells *cells, const struct latency_request *request,
                     const char *command)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        json_t *record = summary_record(session, cells, &cells->cell[i]);
        if (record)
            json_array_append_new(rows, record);
    }
    int code = table_print_records(command, &latency_table, rows, request->json, request->view);
    json_decref(rows);
    if (!request->json)
        console_print_text(
            "\nLatency of dependent loads, in a chase through cache lines in random order: median and 95% interval. "
            "readers: cores that\nread streams from memory at the same time, with a pause of this many cycles after "
            "each line, and what they read\ntogether.\n");
    return code;
}

int beta_command_latency(const char *command, const struct latency_request *request, struct session *session,
                         struct cells *cells)
{
    char why[SESSION_WHY];
    size_t failed = 0;
    struct watched watched = {.command = command, .shows = "latency", .json = request->json};
    struct effort effort = protocol_effort(request->samples ? request->samples : SAMPLES, ROUNDS,
                                           request->samples ? 0 : SETTLED, request->samples ? 0 : PATIENCE_S);
    int code = watched_open(&watched, request->run, session);
    if (code)
        return code;
    const struct execution execution = watched_begin(&watched);
    int error = add_cells(request, session, cells);
    if (!error)
        error = protocol_measure(session, cells, 0, cells->count, &effort, &execution, &failed);
    protocol_why(cells, failed, error, why, sizeof why);
    code = watched_end(&watched, cells, error, why);
    if (!code)
        code = print_all(session, cells, request, command);
    if (!code && !watched.interrupted)
        code = warn_where_no_samples(command, cells, &cell_kind_latency);
    return watched_close(&watched, session, cells, code);
}
