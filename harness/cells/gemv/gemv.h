/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_H
#define HARNESS_CELLS_GEMV_GEMV_H

#include "harness/cells/product/product_cells.h"

/**
 * Cold, with each of the teams, and with the software prefetch that a rendering's original lacks, its prefetch_beside; nothing of
 * a kernel without one. 0 or -ENOMEM.
 */
int gemv_add_prefetched(struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                        const unsigned *sizes, size_t teams);

/**
 * A run reads one stream beside the cold cells of a team. Where there are several, since an earlier version let three
 * take turns or a process had to choose anew, the one with the highest median over all cells of this team size becomes
 * the roof of each (harness/cells/cell/roof_paired.h). Call it before the quantities of product_summary.h.
 */
void gemv_settle(struct cells *cells);

#endif
