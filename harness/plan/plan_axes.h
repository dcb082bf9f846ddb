/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "micro/shape.h"

/** Distinct shapes of the models, models, roles and papers joined. @return count */
size_t plan_distinct_shapes(struct shape *shapes, size_t capacity, char (*models)[CELL_NAMES],
                            char (*roles)[CELL_NAMES]);

/** Team sizes to measure: 1, 2, 4, … and the widest. @return count, at most 16 */
size_t plan_team_sizes(unsigned widest, unsigned sizes[16]);
