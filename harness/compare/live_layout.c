/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_roofs.h"

#include <errno.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/plan/protocol.h"
#include "results/text/refuse.h"

/** Rounds in this many visits, of which half are to be kept, and how long to wait for those. */
enum { VISITS = 3, ROUNDS = 24, SETTLED = 12, PATIENCE_S = 4 };

enum bias_subject live_layout_subject(const char *cell_name, enum compare_class class)
{
    if (class != COMPARE_CORE)
        return BIAS_COLD;
    return cell_kind_of_name(cell_name) == &cell_kind_gamma ? BIAS_GAMMA : BIAS_WARM;
}

static bool is_wanted(const void *context, struct cell *cell)
{
    const bool *wanted = context; /* of BIAS_SUBJECTS */
    const struct bias_cell *bias = bias_cell(cell);
    return wanted[bias->subject] && bias_is_floor(bias, bias->subject);
}

static int append_records(const struct session *session, const struct cells *cells, json_t *records)
{
    int error = 0;
    for (size_t i = 0; !error && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        json_t *record = cell->samples.count ? summary_record(session, cells, cell) : json_null();
        if (!record)
            error = -ENOMEM;
        else if (!json_is_null(record))
            error = json_array_append(records, record) == 0 ? 0 : -ENOMEM;
        json_decref(record);
    }
    return error;
}

int live_layout_measure(struct session *session, const bool wanted[BIAS_SUBJECTS], const volatile int *stop,
                        json_t *records, char *why, size_t size)
{
    struct cells cells = {0};
    const struct effort effort = protocol_effort(ROUNDS, VISITS, SETTLED, PATIENCE_S);
    const struct execution execution = {.stop = stop};
    size_t failed = SIZE_MAX;
    int error = bias_add(&cells, session);
    if (!error) {
        cells_keep(&cells, 0, is_wanted, wanted);
        error = protocol_measure(session, &cells, 0, cells.count, &effort, &execution, &failed);
    }
    if (!error)
        error = append_records(session, &cells, records);
    char cause[256];
    protocol_why(&cells, failed, error, cause, sizeof cause);
    session_dissolve_team(session);
    cells_release(&cells);
    return error ? refuse(error, why, size, "the effect of a change of layout alone could not be measured: %s", cause)
                 : 0;
}
