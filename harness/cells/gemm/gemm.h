/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMM_GEMM_H
#define HARNESS_CELLS_GEMM_GEMM_H

#include "harness/cells/gemm/gemm_cell.h"
#include "harness/cells/product/product_schedule.h"
#include "micro/shape.h"

/** More tokens than any prefill takes at once. */
enum { GEMM_TOKENS_MOST = 65536 };

/** One GEMM, and what is asked of memory for it. */
struct gemm_work {
    const struct kernel *kernel;
    size_t m, k, tokens;
    unsigned threads;
    bool cold;
    const struct product_schedule *schedule; /* NULL: equal shares */
    bool shares_tokens;                      /* of the tokens, not the panels */
};

/** 0 or -ENOMEM. */
int gemm_add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
             unsigned threads, bool cold);

/** The same, shared as asked for; a plain one is what gemm_add adds. 0 or -ENOMEM. */
int gemm_add_scheduled(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                       unsigned threads, bool cold, const struct product_schedule_request *request);

/** The same by one member of the widest team alone, at a speed in (0, 1] of its own; nothing if there is that cell. */
int gemm_add_alone(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                   unsigned member, double speed, bool cold);

/** The cell of one member of the widest team alone, at a speed of its own; NULL: there is none. */
const struct cell *gemm_find_alone(const struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                                   size_t tokens, unsigned member, double speed, bool cold);

/** Of a kernel on a shape with each of the teams: cold, warm or both. 0 or -ENOMEM. */
int gemm_add_teams(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                   const unsigned *sizes, size_t teams, bool cold, bool warm);

/**
 * Whether a GEMM finds the memory it needs: the pool of its team and its operands. Nothing is allocated.
 * @return 0, or -ENOMEM with the amounts in why
 */
int gemm_fits(const struct session *session, const struct gemm_work *work, char *why, size_t size);

/**
 * One GEMM with its team, its result compared with the scalar reference, nothing timed.
 * @return as cell_visit, with one line in why
 */
int gemm_try(struct session *session, const struct gemm_work *work, char *why, size_t size);

/** Samples, each with the read of the roof before it, with which a cell goes once round its pool; 0 for a warm one. */
size_t gemm_places(const struct session *session, const struct cell *cell);

#endif
