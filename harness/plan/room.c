/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/room.h"

#include <math.h>

#include "harness/cells/cell/kind.h"
#include "harness/record/recorder.h"

/** Summaries that are looked at, of a kind. */
enum { LOOKED_AT = 16 };

/**
 * Of the records before the first cell, and of the last one with what it says of single cells; and the share of the budget
 * that summaries may be misjudged by.
 */
static const double BEGIN_BYTES = 10000, END_BYTES = 6000, MISJUDGED = 0.03;

static unsigned place_of(unsigned kind)
{
    return kind < PACE_KINDS ? kind : PACE_KINDS - 1;
}

void room_note(struct room *room, unsigned kind, const struct room_estimate *estimated, double written)
{
    unsigned place = place_of(kind);
    room->written[place] += written;
    if (!estimated)
        return;
    room->estimated[place] += estimated->all;
    room->begun[place]++;
    room->summaries[place]++;
    if (!(room->summary[place] > 0))
        room->summary[place] = estimated->summary;
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
        if (!room->summaries[i])
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

/** Bytes that samples may still take; < 0 where they have taken too many. */
static double left_for_samples(const struct room *room, double budget_bytes, double written_bytes)
{
    double left = (1 - MISJUDGED) * budget_bytes - written_bytes - END_BYTES;
    for (unsigned i = 0; i < PACE_KINDS; i++)
        left -= (double)room->summaries[i] * room->summary[i];
    return left;
}

double room_left(const struct room *room, double budget_bytes, double written_bytes)
{
    return fmax(0, left_for_samples(room, budget_bytes, written_bytes) - room->owed);
}

double room_for_cells(double budget_bytes)
{
    return room_left(&(struct room){0}, budget_bytes, BEGIN_BYTES);
}

double room_budget_of(double cells_bytes)
{
    return (cells_bytes + BEGIN_BYTES + END_BYTES) / (1 - MISJUDGED);
}

enum execution_room room_for(const struct room *room, double budget_bytes, double written_bytes)
{
    if (left_for_samples(room, budget_bytes, written_bytes) <= 0)
        return ROOM_FOR_NONE;
    return room_left(room, budget_bytes, written_bytes) > 0 ? ROOM_FOR_ALL : ROOM_FOR_BEGUN;
}
