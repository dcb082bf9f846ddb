/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_PRODUCT_WORK_H
#define HARNESS_CELLS_PRODUCT_PRODUCT_WORK_H

#include "harness/cells/cell/weights_read.h"
#include "harness/cells/product/product_schedule.h"

/** One GEMV or GEMM, and what is asked of memory for it. */
struct product_work {
    const struct kernel *kernel;
    size_t m, k, tokens; /* PRODUCT_GEMV: a GEMV */
    unsigned threads;
    bool cold;
    const struct product_schedule *schedule; /* NULL: equal shares */
    bool shares_tokens;                      /* of the tokens of a GEMM, not the panels */
};

/** That of a GEMV or GEMM cell. */
struct product_work product_work_of(const struct cell *cell);

/** How its weights are read, by the weights that its schedule has. */
struct weights_read product_work_read(const struct product_work *work);

/** "f32.dot.avx2 on 64x64 with 2 threads", of a GEMM "with 8 tokens and 2 threads". */
void product_work_name(const struct product_work *work, char *text, size_t size);

/**
 * Whether it finds the memory it needs: the pool of its team and its operands. Nothing is allocated.
 * @return 0, or -ENOMEM with the amounts in why
 */
int product_fits(const struct session *session, const struct product_work *work, char *why, size_t size);

/** Samples, each with the read of the roof before it, with which a cell goes once round its pool; 0 for a warm one. */
size_t product_places(const struct session *session, const struct cell *cell);

#endif
