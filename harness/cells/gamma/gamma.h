/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/execution.h"
#include "harness/cells/cell/summary.h"

/**
 * gamma: core cycles per output vector of 32 weights of a sequence whose operands stay in registers, at a number of
 * accumulators. Samples come in halves, U and 2U dot products an iteration.
 */
struct gamma_cell {
    const struct sequence_variant *variant;
};
extern const struct cell_kind cell_kind_gamma;

/** What only a gamma cell has; NULL for a cell of another kind. */
static inline struct gamma_cell *gamma_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_gamma ? cell->own : NULL;
}

/** A sequence at every number of accumulators it has, or only at `accumulators` if not 0. 0 or -ENOMEM. */
int gamma_add(struct cells *cells, const struct sequence *sequence, unsigned accumulators);

/** A sequence at every number of accumulators on each kind of core that the session has. 0 or -ENOMEM. */
int gamma_add_of_kinds(struct cells *cells, const struct session *session, const struct sequence *sequence);

/** Output vectors by which the two samples of a pair differ, per iteration. */
double gamma_vectors(const struct cell *cell);

/** Cycles per output vector. */
struct graded gamma_summary(const struct cell *cell);

/**
 * Best gamma of a sequence by name ("int2_planes.prefix.avx512_vnni") over its usable numbers of accumulators, in cycles
 * that were counted or timed by chains; *accumulators is set. Chosen on one half of the samples and taken from the other,
 * see results/statistics/best_of.h; NaN if none has enough.
 */
double gamma_best(const struct cells *cells, const char *name, unsigned *accumulators);

/** Why a kernel whose sequence has that name has no such gamma; NULL: it has one. */
const char *gamma_missing(const struct cells *cells, const char *name);

/** The same on the kind of core where a member of the widest team sits. */
double gamma_best_on(const struct cells *cells, const char *name, unsigned member, unsigned *accumulators);

/**
 * Why a sequence that was measured where a member sits has no best gamma: "its clock chains disagree (graded wall)", "9
 * pairs of the cell ahead kept, 12 needed".
 * @return false if it has one, or was not measured there
 */
bool gamma_lacks_best(const struct cells *cells, const char *name, unsigned member, char *why, size_t size);

/**
 * The usable cell of a sequence that is ahead, by all samples there are and however few: to decide what to measure next,
 * and nothing that is stated. NULL if none has any.
 */
const struct cell *gamma_ahead(const struct cells *cells, const char *name, unsigned member);

/** Core clock where a member sits, Hz, while it ran sequences; NaN if it ran none. */
double gamma_clock(const struct cells *cells, unsigned member);

/** Whether a sequence has cells where this member sits, which then leads its kind of core. */
bool gamma_leads_kind(const struct cells *cells, const char *name, unsigned member);

/** The cell of a sequence with this many accumulators that has samples; NULL if it was not measured. */
const struct cell *gamma_find(const struct cells *cells, const struct sequence *sequence, uint64_t accumulators);

/**
 * Fewest usable accumulators whose gamma is within 2% of the best of a sequence: on a plateau noise chooses the best,
 * and with fewer accumulators more of the loads can be in flight.
 * @return 0 if gamma was not measured
 */
unsigned gamma_fewest_accumulators(const struct cells *cells, const struct sequence *sequence);

/**
 * Visit again, `rounds` times with `count` samples, the gamma cells of [first, end) that matter most: of each sequence
 * the best usable one so far and those with one accumulator more and less, whose order decides which is the best.
 * Samples may make another one the best, which then gets its share too; and what is ahead at the end is settled until it
 * has samples enough to be called the best (results/statistics/best_of.h).
 * @return as cells_visit
 */
int gamma_refine(struct session *session, struct cells *cells, size_t first, size_t end, unsigned rounds,
                 unsigned count, const struct execution *execution, size_t *failed);

/**
 * The gamma cells of [first, end): a few samples of every number of accumulators tell which is the best of its
 * sequence; refined, its 95% interval comes within 1%.
 * @return as cells_visit
 */
int gamma_sweep(struct session *session, struct cells *cells, size_t first, size_t end,
                const struct execution *execution, size_t *failed);

/**
 * The same of those sequences that a characterization measures exactly: the papers', those that kernels are predicted from,
 * and the best of each width. What lies next to their best is measured, too. The cells of the others wait.
 * @return as cells_visit
 */
int gamma_refine_exactly(struct session *session, struct cells *cells, size_t first, size_t end,
                         const struct execution *execution, size_t *failed);

/** The record of a cell of gamma (struct cell_kind). */
json_t *gamma_record(const struct session *session, const struct cells *cells, const struct cell *cell);
