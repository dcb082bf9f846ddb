/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_SHAPES_H
#define HARNESS_PLAN_PLAN_SHAPES_H

#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "micro/shape.h"

/** Distinct shapes of the models, models, roles and papers joined. @return count */
size_t plan_distinct_shapes(struct shape *shapes, size_t capacity, char (*models)[CELL_NAMES],
                            char (*roles)[CELL_NAMES]);

#endif
