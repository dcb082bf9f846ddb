/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/room.h"

#include <math.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/record/recorder.h"

/**
 * Of the records before the first cell, and of the last one with what it says of single cells; and the share of the budget
 * that summaries may be misjudged by, and the one that is written before they are looked at again.
 */
static const double BEGIN_BYTES = 10000, END_BYTES = 6000, MISJUDGED = 0.03, LOOK_SHARE = 0.005;

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

void room_look(struct room *room, const struct session *session, struct cells *cells, double written_bytes)
{
    double bytes[PACE_KINDS] = {0};
    memset(room->summaries, 0, sizeof room->summaries);
    room->looked_at = written_bytes;
    cell_kinds_settle(cells);
    for (size_t i = 0; i < cells->count; i++) {
        unsigned kind = place_of(cell_kind_number(cells->cell[i].kind));
        if (!cells->cell[i].samples.count)
            continue;
        bytes[kind] += (double)recorder_summary_bytes(session, cells, &cells->cell[i]);
        room->summaries[kind]++;
    }
    for (unsigned i = 0; i < PACE_KINDS; i++)
        room->summary[i] = room->summaries[i] ? bytes[i] / (double)room->summaries[i] : room->summary[i];
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

bool room_wants_look(const struct room *room, double budget_bytes, double written_bytes)
{
    double since = written_bytes - room->looked_at;
    return since >= LOOK_SHARE * budget_bytes && since >= left_for_samples(room, budget_bytes, written_bytes);
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
