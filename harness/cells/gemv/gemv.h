/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_H
#define HARNESS_CELLS_GEMV_GEMV_H

#include "harness/cells/gemv/gemv_cell.h"
#include "harness/cells/product/product_schedule.h"
#include "micro/shape.h"

/** 0 or -ENOMEM. */
int gemv_add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned threads, bool cold);

/** The same, shared as asked for; a plain one is what gemv_add adds. 0 or -ENOMEM. */
int gemv_add_scheduled(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned threads,
                       bool cold, const struct product_schedule_request *request);

/** The same by one member of the widest team alone, at a speed in (0, 1] of its own; nothing if there is that cell. */
int gemv_add_alone(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned member,
                   double speed, bool cold);

/** Of a kernel on a shape with each of the teams: cold, warm or both. 0 or -ENOMEM. */
int gemv_add_teams(struct cells *cells, const struct kernel *kernel, const struct shape *shape, const unsigned *sizes,
                   size_t teams, bool cold, bool warm);

/**
 * Cold, with each of the teams, and with the software prefetch that a rendering's original lacks, its prefetch_beside; nothing of
 * a kernel without one. 0 or -ENOMEM.
 */
int gemv_add_prefetched(struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                        const unsigned *sizes, size_t teams);

/** The cell of one member of the widest team alone, at a speed of its own; NULL: there is none. */
const struct cell *gemv_find_alone(const struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                                   unsigned member, double speed, bool cold);

/** The cell that says what the members of a cell's team attain while all of them work; NULL: there is none. */
const struct cell *gemv_find_contended(const struct cells *cells, const struct cell *cell);

/** What is asked of memory. */
struct gemv_work {
    const struct kernel *kernel;
    size_t m, k;
    unsigned threads;
    bool cold;
    const struct product_schedule *schedule; /* NULL: equal shares */
};

/**
 * Whether a GEMV finds the memory it needs: the pool of its team and its own vectors. Nothing is allocated.
 * @return 0, or -ENOMEM with the amounts in why
 */
int gemv_fits(const struct session *session, const struct gemv_work *work, char *why, size_t size);

/**
 * One GEMV with its team, its result compared with the scalar reference, nothing timed.
 * @return as cell_visit, with one line in why
 */
int gemv_try(struct session *session, const struct gemv_work *work, char *why, size_t size);

/** Samples, each with the read of the roof before it, with which a cell goes once round its pool; 0 for a warm one. */
size_t gemv_places(const struct session *session, const struct cell *cell);

#endif
