/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_TEAM_BALANCE_H
#define HARNESS_CELLS_PRODUCT_TEAM_BALANCE_H

#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/shared_product.h"

/**
 * Measure what each member of a team gets done while all of them work, bytes per second: e_bw x clock of this kernel on
 * this shape and protocol. All begin with equal shares, and then with shares by what was seen, until no share moves
 * by more than some percent, or some looks later; looks at nearly the same shares are averaged. A member that is done
 * leaves the memory to the others, so that a look at shares far off flatters the slow ones. Weights of a schedule that has
 * some are where it begins. The weights go into the schedule.
 * @param product  touched by its members, its pool filled; its schedule is changed
 * @param granule  at which weights begin in the pool
 * @return 0; -ENOMEM; -ENODATA: too few samples were kept; with one line in the cell's why
 */
int team_balance_measure(struct session *session, struct cell *cell, struct product_schedule *schedule,
                         const struct shared_product *product, size_t granule);

#endif
