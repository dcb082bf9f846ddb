/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLAN_H
#define HARNESS_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/summary.h"
#include "micro/shape.h"

/**
 * Which cells to measure: lists of cells from the registry. plan_rounds.h carries them out.
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

/** GEMVs of a kernel on a shape with each of the teams: cold, warm or both. */
int plan_add_gemvs(struct plan *plan, const struct kernel *kernel, const struct shape *shape, const unsigned *sizes,
                   size_t teams, bool cold, bool warm);

/** Team sizes to measure: 1, 2, 4, … and the widest. @return count, at most 16 */
size_t plan_team_sizes(unsigned widest, unsigned sizes[16]);

#endif
