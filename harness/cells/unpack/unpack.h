/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/summary.h"

/**
 * What a GEMM kernel takes to unpack weights into its scratch: gamma_up of roofline/gemm.h, measured on the kernel's own
 * code, which a sequence of dot products cannot be. The kernel says that it unpacks_alone (micro/kernel.h).
 *
 * Samples come in halves, of some panels and of twice as many, UNPACK_K columns each; their difference has neither the
 * call nor the first panel in it. Both lie in the caches, packed UNPACK_BYTES or a panel, so loading them is part of it and
 * reading memory is not. With tokens the products are part of it too, as the kernel interleaves them: what N tokens take
 * beyond unpacking alone is the cost of multiplying that unpacking does not hide.
 */
enum { UNPACK_K = 1024, UNPACK_BYTES = 8192, UNPACK_TOKENS_MOST = 32 };

struct unpack_cell {
    size_t tokens; /* 0: unpacking alone */
};
extern const struct cell_kind cell_kind_unpack;

/** What only an unpack cell has; NULL for a cell of another kind. */
static inline struct unpack_cell *unpack_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_unpack ? cell->own : NULL;
}

/** Whether a kernel has such cells: it unpacks_alone, and its format holds UNPACK_K columns. */
bool unpack_has(const struct kernel *kernel);

/** Unpacking alone, of a kernel that unpack_has. 0 or -ENOMEM. */
int unpack_add(struct cells *cells, const struct kernel *kernel);

/** The same, and with 1, 4, 8, 16 and 32 tokens. 0 or -ENOMEM. */
int unpack_add_tokens(struct cells *cells, const struct kernel *kernel);

/** Core cycles per output vector of 32 weights, of all tokens together. */
struct graded unpack_cycles(const struct cell *cell);

/** gamma_up of a kernel: cycles of unpacking alone, if they can be stated; NaN if not, or if it was not measured. */
double unpack_gamma(const struct cells *cells, const struct kernel *kernel);
