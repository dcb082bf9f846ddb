/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_ROOM_H
#define HARNESS_PLAN_ROOM_H

#include "harness/cells/cell/cell.h"
#include "harness/plan/pace.h"
#include "harness/plan/purpose.h"

/**
 * How much of the bytes that the records of a run may have is left, and how many a kind of cell turns out to need: how often
 * samples are rejected, and how long a summary is, differs from machine to machine. Kinds are numbered as in
 * cell_kind_all.
 */
struct room {
    double estimated[PACE_KINDS], written[PACE_KINDS]; /* of the cells that were begun; written without summaries */
    size_t begun[PACE_KINDS];
    double summary[PACE_KINDS];   /* of one cell; 0: not known yet */
    size_t summaries[PACE_KINDS]; /* that are to come: of cells with samples, those of an earlier process included */
};

/** Note a visit whose records have so many bytes; estimated: of all records of the cell, where it is its first. */
void room_note(struct room *room, unsigned kind, bool first, double estimated, double written);

/** Count the summaries that are to come, and look at some of the kinds whose summaries are not known yet. */
void room_look(struct room *room, const struct session *session, struct cells *cells);

/** What a kind needs over what is estimated, at least half; 1 where nothing of it was begun. */
double room_of(const struct room *room, unsigned kind);

/** Bytes that are left of a budget once last visits, the summaries and the end of the run are written; >= 0. */
double room_left(const struct room *room, double budget_bytes, double written_bytes);

#endif
