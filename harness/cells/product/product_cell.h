/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"
#include "harness/cells/product/product_settings.h"

/** In place of a number of tokens: a GEMV, which is of one vector; and more tokens than any prefill takes at once. */
enum { PRODUCT_GEMV = 0, GEMM_TOKENS_MOST = 65536 };

/** Products within one sample, of a small matrix and few tokens. */
enum { PRODUCT_REPEATS_MOST = 200 };

/**
 * A kernel's product of a packed matrix on a team: with one vector, a GEMV, or with a number of tokens, a GEMM. Cold: every
 * sample reads another copy of the weights from memory, just after a read of the roof. Warm: the same weights again and
 * again. Activations and output stay where they are.
 */
struct product_cell {
    size_t m, k;
    size_t tokens;  /* of a GEMM, 1 to GEMM_TOKENS_MOST; PRODUCT_GEMV */
    size_t copies;  /* cold: of its matrix that are read before one is again */
    bool one_layer; /* one copy, and it is half of the pool or more: what makes it cold is its own size */
    bool beside;    /* only the model asked for it */
    struct product_settings settings;
    struct product_schedule
        *schedule; /* harness/cells/product/product_schedule.h; NULL: equal shares of the first members; owned */
    uint64_t scratch_bytes;                     /* of all members of a GEMM, known from the first visit on */
    char models[CELL_NAMES], roles[CELL_NAMES]; /* commas between */
};
extern const struct cell_kind cell_kind_gemv, cell_kind_gemm;

/** What only a GEMV cell has, or only a GEMM cell, or both; NULL for a cell of another kind. */
static inline struct product_cell *gemv_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_gemv ? cell->own : NULL;
}

static inline struct product_cell *gemm_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_gemm ? cell->own : NULL;
}

static inline struct product_cell *product_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_gemv || cell->kind == &cell_kind_gemm ? cell->own : NULL;
}
