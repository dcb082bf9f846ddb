/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_CELL_ROOF_LOCAL_H
#define HARNESS_CELLS_CELL_ROOF_LOCAL_H

#include "harness/cells/cell/cell.h"

/**
 * The read roof about when a cell was measured, as it was read beside other cells. What a team reads from memory changes
 * in the course of a run on a host that others use too, by half and for seconds; a prediction that takes its beta from the
 * whole run is off by that, and one from the roof beside the cell itself would partly repeat what it predicts.
 */

/** This many reads, the nearest before and after; where other cells have fewer there is no such roof. */
enum { ROOF_NEAR_READS = 40 };

/** Set roof_local_bytes_per_s of the cold cells of a kind, from reads of their roof_stream (roof_paired.h). */
void roof_local_set(struct cells *cells, const struct cell_kind *kind);

#endif
