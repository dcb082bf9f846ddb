/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/summary.h"

/**
 * The read roof beside cold cells, one read just before each sample. Which stream it is may change in the course of a
 * run; what is stated rests on the one with the highest median of a team.
 */

/** Set roof_stream of the cells of a kind and a team, or of every team. */
void roof_paired_choose(struct cells *cells, const struct cell_kind *kind, unsigned threads);
void roof_paired_choose_all(struct cells *cells, const struct cell_kind *kind);

/** The roof stream of this cell, if it has pairs with it; else 0: all of them. */
unsigned roof_paired_stream(const struct cell *cell);

/** Bytes per second of the roof beside the cell. */
struct graded roof_paired_bandwidth(const struct cell *cell);

/** What a repeat that reads this many bytes attains of it. */
struct graded roof_paired_fraction(const struct cell *cell, double bytes);

/**
 * The read roof about when a cell was measured, as it was read beside other cells. What a team reads from memory changes
 * in the course of a run on a host that others use too, by half and for seconds; a prediction that takes its beta from the
 * whole run is off by that, and one from the roof beside the cell itself would partly repeat what it predicts.
 */

/** This many reads, the nearest before and after; where other cells have fewer there is no such roof. */
enum { ROOF_NEAR_READS = 40 };

/** Set roof_local_bytes_per_s of the cold cells of a kind, from reads of their roof_stream (roof_paired.h). */
void roof_local_set(struct cells *cells, const struct cell_kind *kind);
