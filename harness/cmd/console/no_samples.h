/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/cells/cell/cell.h"

/**
 * Say on standard error what every sample of a cell was rejected for, in words with counts.
 * @return whether that is so: samples were taken, and none was kept
 */
bool warn_no_samples(const char *command, const struct cell *cell);

/**
 * The same of all cells of a kind by what they measure, a kernel or a sequence; of one that has no sample of that kind, of all of its
 * cells: without a gamma no knee is measured. If it is so of everything, of several, that is one line.
 * @return EXIT_INCONCLUSIVE if that is so of everything, else EXIT_DONE
 */
int warn_where_no_samples(const char *command, const struct cells *cells, const struct cell_kind *kind);

/**
 * The same of all cells of a kind as one, for those of which only the best are looked for.
 * @return EXIT_INCONCLUSIVE if no sample of any was kept, else EXIT_DONE
 */
int tell_if_nothing_kept(const char *command, const struct cells *cells, const struct cell_kind *kind);

/** The cells that were left out and why, as lines or as records. @return exit code */
int print_cells_left_out(const char *command, const struct cells *cells, bool json);
