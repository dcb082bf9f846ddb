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

#endif
