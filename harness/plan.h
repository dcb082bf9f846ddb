/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/cell.h"
#include "harness/summary.h"
#include "micro/shape.h"

/**
 * Which cells to measure and in what order: lists of cells from the registry, visited in rounds of random order until
 * each has its samples or the time is over.
 *
 * Functions that add cells return 0 or -ENOMEM.
 */
struct plan {
    struct cells cells;
    size_t capacity;
};

void plan_release(struct plan *plan);

/** Room for one more cell, zeroed; NULL without memory. Pointers to former cells may move. */
struct cell *plan_add(struct plan *plan);

/** gamma of a sequence at every number of accumulators it has, or only at `accumulators` if not 0. */
int plan_add_gamma(struct plan *plan, const struct sequence *sequence, unsigned accumulators);

/** Every runnable read stream at every prefetch distance, for a level ("memory", "L1", "L2", "L3") and team size. */
int plan_add_beta(struct plan *plan, const struct session *session, const char *level, unsigned threads);

int plan_add_sync(struct plan *plan, unsigned threads);

/** Quantization of k activations from f32 and bf16 with every runnable quantizer, and the tables of kernels that look
 * up. */
int plan_add_prepare(struct plan *plan, const struct session *session, size_t k);

/** One GEMV cell. */
int plan_add_gemv(struct plan *plan, const struct kernel *kernel, const struct shape *shape, unsigned threads,
                  bool cold);

/** Team sizes to measure: 1, 2, 4, … and the widest. @return count, at most 16 */
size_t plan_team_sizes(unsigned widest, unsigned sizes[16]);

/** Distinct shapes of the models, models and roles joined with commas. @return count */
size_t plan_distinct_shapes(struct shape *shapes, size_t capacity, char (*models)[96], char (*roles)[96]);

/** How a plan is carried out. */
struct execution {
    double deadline_s;        /* CLOCK_MONOTONIC; 0: none */
    const volatile int *stop; /* set by a signal handler; NULL: never */
    unsigned roof_samples;    /* of each finalist in plan_find_roof; 0: 18 */
    bool keep_going;          /* a cell that fails is noted in its `why` and skipped; else it ends the plan */
    /** After each visit; the cell's samples from `first` on are new (and roof samples from roof_first). NULL: none. */
    void (*visited)(void *context, const struct cell *cell, size_t first, size_t roof_first);
    /** Between visits: how far this part is, 0 … 1. NULL: none. */
    void (*progress)(void *context, double fraction, const char *now);
    void *context;
};

/**
 * Visit cells [first, end) in random order, `rounds` times, `count` samples a visit.
 * @return 0; the error of the cell that ended it (*failed is its index); -EINTR stopped; -ETIME past the deadline
 */
int plan_visit(struct session *session, struct plan *plan, size_t first, size_t end, unsigned rounds, unsigned count,
               const struct execution *execution, size_t *failed);

/**
 * Visit those cells of [first, end) again that have fewer than `wanted` kept samples (gamma: on which the clock chains
 * agreed too), until all have them or patience_s is over. A neighbour on the sibling hardware thread takes issue slots
 * and ports, which rejects samples and inflates gamma, but neighbours come and go.
 * @return as plan_visit; running out of patience is no error
 */
int plan_settle(struct session *session, struct plan *plan, size_t first, size_t end, size_t wanted, double patience_s,
                const struct execution *execution, size_t *failed);

/**
 * Find the roof of a level and team size among cells [first, end), all beta cells of that kind: all get a few samples,
 * the faster ones more, the fastest most. The winner for memory is stored in the session.
 */
int plan_find_roof(struct session *session, struct plan *plan, size_t first, size_t end,
                   const struct execution *execution, size_t *failed);

#endif
