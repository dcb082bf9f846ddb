/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_KNEE_H
#define HARNESS_CELLS_KNEE_H

#include "harness/cells/knee_cell.h"

/**
 * Cells that stream the weights of a sequence from each of the levels (deepest first) with each of the team sizes
 * (ascending), without and with software prefetch. The distances of the prefetch compete in the first level with the
 * last team. 0 or -ENOMEM.
 */
int knee_add(struct cells *cells, const struct sequence *sequence, const char *const *levels, size_t level_count,
             const unsigned *sizes, size_t team_count);

#endif
