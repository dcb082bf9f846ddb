/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/instead.h"

#include "harness/cmd/console/console.h"
#include "harness/cmd/console/no_samples.h"
#include "harness/cmd/console/watched.h"
#include "harness/command/exit_code.h"
#include "harness/plan/protocol.h"

/** Samples in this many visits, and how many are to be kept, for how long at most. */
enum { ROUNDS = 3, SAMPLES = 24, SETTLED = 6, PATIENCE_S = 10 };

static int print_all(const char *command, const struct instead *instead, const struct instead_request *request,
                     const struct session *session, const struct cells *cells)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        const bool shown = cells->cell[i].kind == instead->kind;
        json_t *record = shown ? summary_record(session, cells, &cells->cell[i]) : NULL;
        if (record)
            json_array_append_new(rows, record);
    }
    if (instead->head && !request->json)
        instead->head(request->given);
    int code = table_print_records(command, instead->table, rows, request->json, request->view);
    json_decref(rows);
    if (!request->json)
        console_print_text(instead->legend);
    return code ? code : print_cells_left_out(command, cells, request->json);
}

int instead_measure(const char *command, const struct instead *instead, const struct instead_request *request,
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
    int error = instead->add(request->given, session, cells);
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
