/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "harness/cells/latency/latency.h"
#include "harness/cmd/beta/levels.h"
#include "harness/measure/session_level.h"

/** Teams of two members and more have a loaded curve. */
static int add_loaded(const struct beta_request *request, const struct session *session, struct cells *cells)
{
    int error = 0;
    for (size_t t = 0; !error && t < request->teams; t++) {
        if (request->sizes[t] > 1)
            error = latency_add_loaded(cells, session, request->sizes[t]);
    }
    return error;
}

static int add_cells(const void *given, const struct session *session, struct cells *cells)
{
    const struct beta_request *request = given;
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
    {"level", "level", .left = true},
    {"lines in", "bytes", .text = size_text, .rank = 3},
    {"readers", .field = "readers"},
    {"pause", "pause", .text = pause_text},
    {"read GB/s", "load_bytes_per_s", TABLE_NUMBER, .scale = 1e-9, .digits = 2, .rank = 3},
    {"ns", "latency_s", TABLE_NUMBER, .scale = 1e9, .digits = 2, .rank = 1},
    {"cycles", "latency_cycles", TABLE_NUMBER, .digits = 1, .rank = 2},
    {"from", "latency_s", TABLE_LOW, .scale = 1e9, .digits = 2, .rank = 4},
    {"to ns", "latency_s", TABLE_HIGH, .scale = 1e9, .digits = 2, .rank = 4},
    {"grade", "latency_cycles", TABLE_GRADE, .rank = 5, .left = true},
    {"n", "latency_s", TABLE_KEPT, .rank = 6},
    {"rej", "latency_s", TABLE_REJECTED, .rank = 7},
};

const struct table latency_table = {"latency", "Latency", columns, .count = sizeof columns / sizeof *columns};

const struct instead beta_latency = {
    .option = "--latency",
    .shows = "latency",
    .kind = &cell_kind_latency,
    .table = &latency_table,
    .add = add_cells,
    .legend = "\nLatency of dependent loads, in a chase through cache lines in random order: median and 95% interval. "
              "readers: cores that\nread streams from memory at the same time, with a pause of this many cycles after "
              "each line, and what they read\ntogether.\n",
};
