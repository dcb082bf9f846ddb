/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/beta/instead.h"

#include <stdio.h>

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/watched.h"
#include "harness/command/exit_code.h"
#include "harness/plan/protocol.h"
#include "micro/stream.h"
#include "platforms/cpu/isa.h"

/** Samples in this many visits, and how many are to be kept, for how long at most. */
enum { ROUNDS = 3, SAMPLES = 24, SETTLED = 6, PATIENCE_S = 10 };

static int print_all(const char *command, const struct instead *instead, const struct instead_request *request,
                     const struct session *session, const struct cells *cells)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        json_t *record = summary_record(session, cells, &cells->cell[i]);
        if (record)
            json_array_append_new(rows, record);
    }
    if (instead->head && !request->json)
        instead->head(request);
    int code = table_print_records(command, instead->table, rows, request->json, request->view);
    json_decref(rows);
    if (!request->json)
        console_print_text(instead->legend);
    return code;
}

int beta_command_instead(const char *command, const struct instead *instead, const struct instead_request *request,
                         struct session *session, struct cells *cells)
{
    char why[SESSION_WHY];
    size_t failed = 0;
    struct watched watched = {.command = command, .shows = instead->shows, .json = request->json};
    struct effort effort = protocol_effort(request->samples ? request->samples : SAMPLES, ROUNDS,
                                           request->samples ? 0 : SETTLED, request->samples ? 0 : PATIENCE_S);
    if (instead->lacks && instead->lacks(session, why, sizeof why))
        return complain(EXIT_USAGE, command, "%s", why);
    int code = watched_open(&watched, request->run, session);
    if (code)
        return code;
    const struct execution execution = watched_begin(&watched);
    int error = instead->add(request, session, cells);
    if (!error)
        error = protocol_measure(session, cells, 0, cells->count, &effort, &execution, &failed);
    protocol_why(cells, failed, error, why, sizeof why);
    code = watched_end(&watched, cells, error, why);
    if (!code)
        code = print_all(command, instead, request, session, cells);
    if (!code && !watched.interrupted)
        code = warn_where_no_samples(command, cells, instead->kind);
    return watched_close(&watched, session, cells, code);
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
