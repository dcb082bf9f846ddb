/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/summary.h"
#include "micro/block_order.h"

/**
 * Repacking a matrix from the rows that a model file holds into an interleaved order (micro/block_order.h): the team reads
 * another copy of the rows from memory each time and writes to another place, cold too, whose pages are there. What a
 * loader adds (reading the file, first touch of pages) is no part of it.
 */
struct repack_cell {
    const struct block_order *order;
    const struct format *rows;
    size_t m, k;
};
extern const struct cell_kind cell_kind_repack;

/** What only a repack cell has; NULL for a cell of another kind. */
static inline struct repack_cell *repack_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_repack ? cell->own : NULL;
}

/**
 * Repacking to a format on a shape with a team, if it is an order of rows, and the matrix whole panels of it of
 * REPACK_BYTES_LEAST and more, below which the meeting of the team would show. Nothing is added otherwise, or twice. 0 or -ENOMEM
 */
enum { REPACK_BYTES_LEAST = 1 << 20 };
int repack_add(struct cells *cells, const struct format *format, const struct shape *shape, unsigned threads);

/** Whether there is memory for the rows and the panels: 0, or -ENOMEM with the amounts in why. Of a cell that was added. */
int repack_fits(const struct session *session, const struct cell *cell, char *why, size_t size);

/** Bytes of the packed matrix a second, each read once and written once. */
struct graded repack_bandwidth(const struct cell *cell);

/** The cell with samples that repacks to a format on a shape with a team; NULL: none. */
const struct cell *repack_find(const struct cells *cells, const struct format *format, size_t m, size_t k,
                               unsigned threads);

/**
 * When repacking has paid: the seconds it takes over those by which a product with the order is shorter than with the rows,
 * each by the fastest of its kernels that the cells have (cold, equal shares).
 */
struct repack_payment {
    double rows_s, order_s; /* of a GEMV: NaN where it is not known which kernel is fastest, or none was measured */
    double tokens;          /* GEMVs until it pays; NaN: not known, or never, and why says which */
    const char *why;
    char rows_kernel[96], order_kernel[96]; /* "" where not known */
};
struct repack_payment repack_payment(const struct cells *cells, const struct cell *cell);

/**
 * The fewest tokens of those measured that one GEMM with the order and its repacking take less time for than a GEMM with the
 * rows ops.
 * @param cell  a cold GEMM of the order
 * @param why   where there is none such: the reason
 * @return NaN where there is none
 */
double repack_pays_at(const struct cells *cells, const struct cell *cell, const char **why);
