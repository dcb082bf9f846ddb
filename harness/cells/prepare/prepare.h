/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "micro/quantizer.h"

/**
 * What happens to k activations before a GEMV: quantization, the operand that a kernel (cell->kernel, else NULL) makes
 * of them, or both.
 */
struct prepare_cell {
    const struct quantizer *quantizer; /* NULL: none */
    bool bf16;
    size_t k;
    size_t tokens;  /* of a GEMM: this many vectors, one after the other; 0: one, of a GEMV */
    bool unordered; /* prepare() alone, of a format whose matrices have an order: what bringing activations into it adds is the difference */
};
extern const struct cell_kind cell_kind_prepare;

/** What only a prepare cell has; NULL for a cell of another kind. */
static inline struct prepare_cell *prepare_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_prepare ? cell->own : NULL;
}

/** The quantizer of the best ISA that runs here. */
const struct quantizer *prepare_quantizer(const struct session *session);

/**
 * Quantization of k activations from f32 and bf16 with every runnable quantizer, and the tables that kernels make of
 * int8 ones. 0 or -ENOMEM.
 */
int prepare_add(struct cells *cells, const struct session *session, size_t k);

/**
 * What a kernel makes of k int8 activations, alone: tables, or blocks. Nothing is added if the cells have it already, or of a kernel that
 * takes floats or makes nothing of them. 0 or -ENOMEM.
 */
int prepare_add_tables(struct cells *cells, const struct kernel *kernel, size_t k);

/**
 * All that happens to k activations in f32 before this kernel's GEMV: quantization by the best runnable quantizer if it
 * takes int8, bringing them into the order of the matrix where its format has one, and its prepare(), which then is measured without that
 * as well. Nothing is added if the cells have it already or there is nothing to do. 0 or -ENOMEM.
 */
int prepare_add_operand(struct cells *cells, const struct session *session, const struct kernel *kernel, size_t k);

/**
 * Seconds from k activations in f32 to the operand of a kernel, on one core: of the cell that measured it, 0 for a
 * kernel that takes them as they are, NaN if it was not measured.
 */
double prepare_time(const struct cells *cells, const struct kernel *kernel, size_t k);

/**
 * The same of this many tokens for its GEMM: each quantized with its own scale, then gemm.prepare_many(). 0 or -ENOMEM.
 */
int prepare_add_tokens(struct cells *cells, const struct session *session, const struct kernel *kernel, size_t k,
                       size_t tokens);

/** Seconds of it, as prepare_time. */
double prepare_tokens_time(const struct cells *cells, const struct kernel *kernel, size_t k, size_t tokens);
