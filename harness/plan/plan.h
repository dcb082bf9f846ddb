/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_H
#define HARNESS_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/summary.h"
#include "micro/shape.h"

/**
 * Which cells to measure: lists of cells. plan_rounds.h carries them out.
 */
struct plan {
    struct cells cells;
};

void plan_release(struct plan *plan);

/** Team sizes to measure: 1, 2, 4, … and the widest. @return count, at most 16 */
size_t plan_team_sizes(unsigned widest, unsigned sizes[16]);

#endif
