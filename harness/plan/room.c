/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/room.h"

#include <math.h>

#include "harness/cells/cell/kind.h"
#include "harness/record/recorder.h"

/** Summaries that are looked at, of a kind. */
enum { LOOKED_AT = 8 };

/** Of the last record, with what it says of single cells; and the share of the budget that last visits may take. */
static const double END_BYTES = 6000, LAST_VISITS = 0.08;

static unsigned place_of(unsigned kind)
{
    return kind < PACE_KINDS ? kind : PACE_KINDS - 1;
}

void room_note(struct room *room, unsigned kind, bool first, double estimated, double written)
{
    unsigned place = place_of(kind);
    room->written[place] += written;
    if (!first)
        return;
    room->estimated[place] += estimated;
    room->begun[place]++;
}

static size_t count_with_samples(const struct cells *cells, const struct cell_kind *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++)
        count += cells->cell[i].kind == kind && cells->cell[i].samples.count;
    return count;
}

/** The mean of some from all over the list: a kind's first cells may have more to say than its last. */
static double mean_summary(const struct session *session, const struct cells *cells, const struct cell_kind *kind,
                           size_t count)
{
    size_t seen = 0, looked_at = 0, stride = count / LOOKED_AT + 1;
    double bytes = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->kind != kind || !cell->samples.count || seen++ % stride)
            continue;
        bytes += (double)recorder_summary_bytes(session, cells, cell);
        looked_at++;
    }
    return looked_at ? bytes / (double)looked_at : 0;
}

void room_look(struct room *room, const struct session *session, struct cells *cells)
{
    bool settled = false;
    for (unsigned i = 0; cell_kind_all()[i] && i < PACE_KINDS; i++) {
        room->summaries[i] = count_with_samples(cells, cell_kind_all()[i]);
        if (!room->summaries[i] || room->summary[i] > 0)
            continue;
        if (!settled)
            cell_kinds_settle(cells);
        settled = true;
        room->summary[i] = mean_summary(session, cells, cell_kind_all()[i], room->summaries[i]);
    }
}

double room_of(const struct room *room, unsigned kind)
{
    unsigned place = place_of(kind);
    double taken = room->written[place] + (double)room->begun[place] * room->summary[place];
    return room->estimated[place] > 0 ? fmax(0.5, taken / room->estimated[place]) : 1;
}

double room_left(const struct room *room, double budget_bytes, double written_bytes)
{
    double left = (1 - LAST_VISITS) * budget_bytes - written_bytes - END_BYTES;
    for (unsigned i = 0; i < PACE_KINDS; i++)
        left -= (double)room->summaries[i] * room->summary[i];
    return fmax(0, left);
}
