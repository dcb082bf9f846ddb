/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

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

/**
 * A visit to a cell that multiplies one packed matrix: its product is shared as the cell's schedule says, compared with the
 * scalar reference on the pool's own bytes, and only then timed. Every visit is verified anew, which takes some
 * milliseconds: its activations, the bytes in the pool and the rows that are looked at are others each time.
 *
 * Take this many samples of a cell and append them: pool, team and shares, the weights of these measured unless they are
 * given, one product that is verified, then the samples. Pieces of a tail are counted for the schedule.
 * @return 0; -EILSEQ: a result is wrong; -ENOMEM, -EINVAL, -ENODATA; with one line in the cell's why
 */
int product_visit(struct session *session, struct cell *cell, unsigned count);

/** The pool of a visit, filled where our own code can fill it, so that it outlasts a visit of another process. As product_visit. */
int product_ready(struct session *session, struct cell *cell);

/**
 * Find out which prefetch distance suits a kernel's GEMV with such a team here, by one of the reference shape, unless the session knows it. On a
 * busy machine, or where the kernel has none, cannot multiply that shape or is a plug-in's, nothing is found.
 */
void product_find_distance(struct session *session, const struct kernel *kernel, unsigned threads);

/**
 * One product with its team, its result compared with the scalar reference.
 * @param call_s  receives roughly how long it took, memory that it used for the first time included; NULL: nobody asks
 * @return as product_visit, with one line in why
 */
int product_try(struct session *session, const struct product_work *work, double *call_s, char *why, size_t size);
