/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"
#include "harness/plan/characterize/pace.h"
#include "harness/plan/characterize/purpose.h"

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
    double owed;                  /* to the cells that were begun: samples that are still wanted of them */
    double looked_at;             /* bytes that were written when summaries were looked at last */
};

/** What a cell is likely to need: all of its records, and of them its summary. Bytes. */
struct room_estimate {
    double all, summary;
};

/** Note a visit whose records have this many bytes; estimated: of the cell, where it is its first; NULL otherwise. */
void room_note(struct room *room, unsigned kind, const struct room_estimate *estimated, double written);

/** Count the summaries that are to come, and measure them as they are now that this many bytes are written. */
void room_look(struct room *room, const struct session *session, struct cells *cells, double written_bytes);

/**
 * Whether to look again, since summaries grow with what is known of a cell: as much was written since as is left, and at least a
 * two-hundredth of the budget.
 */
bool room_wants_look(const struct room *room, double budget_bytes, double written_bytes);

/** What a kind needs over what is estimated, at least half; 1 where nothing of it was begun. */
double room_of(const struct room *room, unsigned kind);

/** Bytes of a budget that are left for cells not begun: without what is owed, summaries and the end of the run; >= 0. */
double room_left(const struct room *room, double budget_bytes, double written_bytes);

/** Bytes of a budget that cells may take, before anything is written; >= 0. */
double room_for_cells(double budget_bytes);

/** The least budget that cells of this many bytes fit into: room_for_cells the other way round. */
double room_budget_of(double cells_bytes);

/** Which cells there is room for: those that were begun as long as the summaries and the end of the run still fit. */
enum execution_room room_for(const struct room *room, double budget_bytes, double written_bytes);
