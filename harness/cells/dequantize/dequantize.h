/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "micro/kernel.h"
#include "micro/quantizer.h"

/**
 * What happens to the int32 sums of m rows after a GEMV: each is multiplied with the scale of its row and that of the
 * activations, to f32 or bf16. One core, data in its caches. A GEMM delivers floats, so it has no such step apart.
 */
struct dequantize_cell {
    const struct quantizer *quantizer;
    bool bf16;
    size_t m;
};
extern const struct cell_kind cell_kind_dequantize;

/** What only a dequantize cell has; NULL for a cell of another kind. */
static inline struct dequantize_cell *dequantize_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_dequantize ? cell->own : NULL;
}

/**
 * The step after this kernel's GEMV of m rows, to f32 and to bf16, by the quantizer of the best ISA that runs here. Nothing is
 * added if the cells have it already or the kernel gives floats. 0 or -ENOMEM.
 */
int dequantize_add(struct cells *cells, const struct session *session, const struct kernel *kernel, size_t m);

/** The cell with samples of m rows of this kernel to f32; NULL: none, or the kernel gives floats. */
const struct cell *dequantize_find(const struct cells *cells, const struct kernel *kernel, size_t m);
