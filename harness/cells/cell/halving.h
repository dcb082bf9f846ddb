/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"

/**
 * Successive halving: the best of many cells. Each is looked at briefly, and ever fewer of them ever more closely, in rounds of
 * random order. What the search saw only chooses and is not reported: the best of many was also the luckiest, so what is reported of
 * it is measured anew.
 */
struct halving_stage {
    size_t keep;              /* this many of the best so far stay for it */
    unsigned rounds, samples; /* of each: visits, and samples of a visit */
};

struct halving {
    struct session *session;
    struct cells *cells;
    size_t *order, count; /* cells to choose from, by index; afterwards those of the last stage, best first. Caller's */
    const struct halving_stage *stages;
    size_t stage_count;
    unsigned most; /* samples a visit; a stage that is asked for fewer than it has takes one round */
    double (*merit)(const struct cell *cell); /* greater is better; not above 0: nothing is known of it */
    /* the best of each class goes along to the end: what tells it from others, NULL: of none. No function: no classes */
    const void *(*class_of)(const struct cell *cell);
    const struct execution *execution;
    double begin, part; /* of the progress: where it stands, and how far all stages take it */
};

/**
 * Run all stages. Cells of which no sample was kept are looked at a few times more, so that none is dropped unseen.
 * @return as cells_visit, -ENOMEM; whatever it is, order[0] is the best that was seen
 */
int halving_run(struct halving *halving, size_t *failed);

/** Whether something is known of one of the first `count` of these cells. */
bool halving_any_known(const struct halving *halving, size_t count);
