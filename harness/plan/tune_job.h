/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/execution.h"
#include "harness/cells/cell/summary.h"
#include "harness/plan/tune_candidates.h"
#include "micro/shape.h"

/**
 * The search for the settings of kernels [apt-llm, V-B]. For each problem all candidates are looked at, and by successive halving ever
 * fewer ever more closely, the best of each kernel to the end. Then, in rounds of random order and with samples that had no part in the
 * choice, those are measured beside the kernels' own settings and beside what the nearest other problem found. One half of these samples
 * decides whether a kernel's own settings stand after all; the other is reported, and nothing else is.
 *
 * Of the time a part is for the searches, an equal share of what is left for each. Where it is too short candidates are not seen, or fewer
 * samples are kept than a number rests on; the table says how many.
 */
struct tune_request {
    const struct kernel *const *kernels; /* that run here */
    size_t kernel_count;
    const struct shape *shapes;
    size_t shape_count;
    const size_t *tokens;
    size_t token_count;
    const unsigned *sizes; /* of teams */
    size_t teams;
    bool cold;
    double budget_s; /* of searches and what is reported; finding the roof of memory comes on top */
};

/** Problems of a request that a kernel's format holds: families times shapes, tokens and teams. */
size_t tune_problems(const struct tune_request *request);

/**
 * Whether a kernel's own settings stand: what was found is not seen to be faster, by the halves of their samples that choose, or by all
 * where a half is too few. Pure.
 */
bool tune_own_stands(struct graded found, struct graded own);

/**
 * Search and measure all problems, into cells, of which the records are made, and a table without `made_by`.
 * @return as cells_visit, with one line in why; what was found until then is in the table
 */
int tune_measure(const struct tune_request *request, struct session *session, struct cells *cells,
                 const struct execution *execution, struct tuning_table *table, char *why, size_t size);
