/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_CELL_H
#define HARNESS_CELLS_GEMV_GEMV_CELL_H

#include "harness/cells/cell/kind.h"
#include "harness/cells/product/product_settings.h"

/**
 * GEMV of a kernel on a shape and a team. Cold: every sample reads another copy of the weights from memory, just after
 * a read of the roof. Warm: the same weights again and again.
 */
struct gemv_cell {
    size_t m, k;
    size_t copies;  /* cold: of its matrix that are read before one is again */
    bool one_layer; /* one copy, and it is half of the pool or more: what makes it cold is its own size */
    struct product_settings settings;
    bool beside; /* nobody asked for it but the model */
    struct product_schedule
        *schedule; /* harness/cells/product/product_schedule.h; NULL: equal shares of the first members; owned */
    char models[CELL_NAMES], roles[CELL_NAMES]; /* commas between */
};
extern const struct cell_kind cell_kind_gemv;

/** What only a GEMV cell has; NULL for a cell of another kind. */
static inline struct gemv_cell *gemv_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_gemv ? cell->own : NULL;
}

#endif
