/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMM_WEIGHTS_H
#define HARNESS_CELLS_GEMM_WEIGHTS_H

#include "harness/cells/gemm_cell.h"
#include "harness/team/gemm.h"

/**
 * Weights of a cell by its own GEMM, at its number of tokens, into the cell's schedule: share_weights_measure.
 * @param gemm     prepared, its members' scratch touched, its pool filled; its schedule is changed
 * @param granule  at which weights begin in the pool
 */
int gemm_weights_measure(struct session *session, struct cell *cell, struct gemm *gemm, size_t granule);

#endif
