/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_SUMMARY_H
#define HARNESS_CELLS_GEMV_GEMV_SUMMARY_H

#include "harness/cells/cell/summary.h"
#include "harness/cells/gemv/gemv_cell.h"

/** What GEMV cells attain, and the read roof that each is compared with. */

/**
 * A run reads one stream beside the cold cells of a team. Where there are several, since an earlier version let three
 * take turns or a process had to choose anew, the one with the highest median over all cells of this team size becomes
 * the roof of each (harness/cells/cell/roof_beside.h). Call it before the quantities below.
 */
void gemv_settle(struct cells *cells);

/** Attained bandwidth over the roof measured just before each sample, of a cold cell; pairs with its roof stream. */
struct graded gemv_roof_fraction(const struct cell *cell);

/** Bytes of the packed matrix, padding included. */
double gemv_packed_bytes(const struct cell *cell);

/** Memory level that the weights come from: "memory", "L3", "L2" or "L1". */
const char *gemv_level(const struct session *session, const struct cell *cell);

/** Attained: bytes per second of the team, bytes per core cycle per core, operations per core cycle per core. */
struct graded gemv_bandwidth(const struct cell *cell);
struct graded gemv_bytes_per_cycle(const struct cell *cell);
struct graded gemv_operations(const struct cell *cell);

#endif
