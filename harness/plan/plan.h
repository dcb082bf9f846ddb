/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_H
#define HARNESS_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/summary.h"
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

/** gamma of a sequence at every number of accumulators on each kind of core that the session has. */
int plan_add_gamma_of_kinds(struct plan *plan, const struct session *session, const struct sequence *sequence);

/** Every runnable read stream at every prefetch distance, for a level ("memory", "L1", "L2", "L3") and team size. */
int plan_add_beta(struct plan *plan, const struct session *session, const char *level, unsigned threads);

int plan_add_sync(struct plan *plan, unsigned threads);

/** Quantization of k activations from f32 and bf16 with every runnable quantizer, and the tables that kernels make of
 * int8 ones. */
int plan_add_prepare(struct plan *plan, const struct session *session, size_t k);

/**
 * All that happens to k activations in f32 before this kernel's GEMV: quantization by the best runnable quantizer if it
 * takes int8, and its prepare(). Nothing is added if the plan has it already or there is nothing to do.
 */
int plan_add_operand(struct plan *plan, const struct session *session, const struct kernel *kernel, size_t k);

/** One GEMV cell. */
int plan_add_gemv(struct plan *plan, const struct kernel *kernel, const struct shape *shape, unsigned threads,
                  bool cold);

/** Team sizes to measure: 1, 2, 4, … and the widest. @return count, at most 16 */
size_t plan_team_sizes(unsigned widest, unsigned sizes[16]);

/** Distinct shapes of the models, models, roles and papers joined. @return count */
size_t plan_distinct_shapes(struct shape *shapes, size_t capacity, char (*models)[CELL_NAMES],
                            char (*roles)[CELL_NAMES]);

/**
 * The knee validated with one sequence: cells that stream its weights from each of the levels (deepest first) with each
 * of the team sizes (ascending), without and with software prefetch. The distances of the prefetch compete in the first
 * level with the last team.
 */
int plan_add_knee(struct plan *plan, const struct sequence *sequence, const char *const *levels, size_t level_count,
                  const unsigned *sizes, size_t team_count);

/** How a plan is carried out. */
struct execution {
    double deadline_s;        /* CLOCK_MONOTONIC; 0: none */
    const volatile int *stop; /* set by a signal handler; NULL: never */
    unsigned roof_samples;    /* of each finalist in plan_find_roof; 0: 18 */
    double cold_laps; /* of its pool that a cold GEMV goes round in a visit at least, beyond the samples asked for */
    bool keep_going;  /* a cell that fails is noted in its `why` and skipped; else it ends the plan */
    /** After each visit; the cell's samples from `first` on are new (and roof samples from roof_first). NULL: none. */
    void (*visited)(void *context, const struct cell *cell, size_t first, size_t roof_first);
    /** Between visits: how far this part is, 0 … 1. NULL: none. */
    void (*progress)(void *context, double fraction, const char *now);
    void *context;
};

/**
 * Visit cells [first, end) in random order, `rounds` times, `count` samples a visit. GEMV cells whose weights the pool
 * has to be filled with stand together: filling it takes longer than reading it.
 * @return 0; the error of the cell that ended it (*failed is its index); -EINTR stopped; -ETIME past the deadline
 */
int plan_visit(struct session *session, struct plan *plan, size_t first, size_t end, unsigned rounds, unsigned count,
               const struct execution *execution, size_t *failed);

/**
 * Visit again, `rounds` times with `count` samples, the gamma cells of [first, end) that matter most: of each sequence
 * the best usable one so far and those with one accumulator more and less, whose order decides which is the best.
 * Samples may make another one the best, which then gets its share too.
 * @return as plan_visit
 */
int plan_refine_gamma(struct session *session, struct plan *plan, size_t first, size_t end, unsigned rounds,
                      unsigned count, const struct execution *execution, size_t *failed);

/**
 * The gamma cells of [first, end): a few samples of every number of accumulators tell which is the best of its
 * sequence; refined, its 95% interval comes within 1%.
 * @return as plan_visit
 */
int plan_sweep_gamma(struct session *session, struct plan *plan, size_t first, size_t end,
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
 * the faster ones more, the fastest most, and some more where not one sample of them was kept. The winners are stored
 * in the session.
 */
int plan_find_roof(struct session *session, struct plan *plan, size_t first, size_t end,
                   const struct execution *execution, size_t *failed);

/**
 * Carry out the knee cells of [first, end) in random order until each has `pairs` kept pairs of samples (0: as many as
 * bring medians within some percent), or several times as many were rejected. gamma of their sequences and the roof of
 * their levels and teams come before; a cell that lacks those waits. Of the distances that compete all but the best are
 * left after a first look. May be called again, and goes on where it was.
 * @return as plan_visit
 */
int plan_knee(struct session *session, struct plan *plan, size_t first, size_t end, unsigned pairs,
              const struct execution *execution, size_t *failed);

/** Afterwards: knee cells without a sample, for lack of what they needed, say so in their `why`. */
void plan_knee_say_why(struct plan *plan);

#endif
