/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMM_GEMM_CELL_H
#define HARNESS_CELLS_GEMM_GEMM_CELL_H

#include "harness/cells/cell/kind.h"
#include "harness/cells/product/product_settings.h"

/**
 * GEMM of a kernel on a shape, a number of tokens and a team. Cold: every sample reads another copy of the weights from
 * memory, just after a read of the roof. Warm: the same weights again and again. Activations and output stay where they
 * are.
 */
struct gemm_cell {
    size_t m, k, tokens;
    size_t copies;  /* cold: of its matrix that are read before one is again */
    bool one_layer; /* one copy, and it is half of the pool or more: what makes it cold is its own size */
    struct product_settings settings;
    struct product_schedule
        *schedule; /* harness/cells/product/product_schedule.h; NULL: equal shares of the first members; owned */
    uint64_t scratch_bytes;                     /* of all members, known from the first visit on */
    char models[CELL_NAMES], roles[CELL_NAMES]; /* commas between */
};
extern const struct cell_kind cell_kind_gemm;

/** What only a GEMM cell has; NULL for a cell of another kind. */
static inline struct gemm_cell *gemm_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_gemm ? cell->own : NULL;
}

#endif
