/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

#include "harness/cells/cell/cell.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plan/characterize/purpose.h"
#include "harness/plan/characterize/room.h"

/**
 * What a plan chooses from: parts of a list of cells, which are measured whole or not at all, with what they take. The
 * visits of a cell are spread: two close together, and one at the end of the run.
 */
enum { PARTS_VISITS = 3 };

/** Share of samples, or pairs, that is kept, before it is known. */
#define PARTS_KEPT_SHARE 0.5

/** Samples, or pairs, that a purpose wants of a cell: few where its kind refines those that matter. */
unsigned parts_wanted(const struct cell *cell, const struct purpose *purpose);

struct part {
    size_t first, end; /* cells */
    struct planner_item item;
};

struct parts {
    struct part *part;
    size_t count;
};

/**
 * Of cells that have their values.
 * @return 0 or -ENOMEM; to be released with parts_release
 */
int parts_of(const struct session *session, const struct cells *cells, const struct purpose *purpose,
             struct parts *parts);
void parts_release(struct parts *parts);

/**
 * Choose by a budget, less PLANNER_RESERVE of its time, what cells are measured: left_out is set in all others.
 * @param sum  out: what those take that are chosen
 * @return 0; -ENOMEM; -ERANGE: the budget does not carry what is held most valuable, which takes *sum
 */
int parts_choose(const struct parts *parts, struct cells *cells, struct planner_budget budget,
                 struct planner_budget *sum);

/**
 * {"gemm": 310, …}: of each kind of which no cell has a sample, the least budget in seconds whose plan has the most valuable of its
 * cells, which is least_s or more. Kinds that the purpose does not want are not in it. New reference; NULL without memory.
 */
json_t *parts_least_budgets(const struct parts *parts, const struct cells *cells, double least_s);

/** Seconds, and bytes of records, that a cell is likely to take. */
double parts_cell_cost_s(const struct session *session, const struct cell *cell, const struct purpose *purpose);
struct room_estimate parts_cell_bytes(const struct session *session, const struct cell *cell,
                                      const struct purpose *purpose);
