/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_PLANNER_H
#define HARNESS_PLAN_PLANNER_H

#include <stddef.h>

/**
 * What fits a budget. Items are measured whole or not at all; those of less value number come first, of one value those
 * of less rank, of one rank the cheapest, of one cost in the order given. Chosen is the longest beginning of that order
 * whose costs fit: what follows an item that does not fit is left out though it might, so that a larger budget has every
 * item of a smaller one.
 *
 * Pure: no hardware, no clock.
 */
struct planner_item {
    unsigned value, rank;
    double cost_s; /* >= 0 */
};

/**
 * @param budget_s  >= 0; INFINITY: all are chosen
 * @param order     out, [count]: the items by number, in the order above
 * @param cost_s    out: sum of the costs of the chosen; may be NULL
 * @return how many of order are chosen
 */
size_t planner_choose(const struct planner_item *items, size_t count, double budget_s, size_t *order, double *cost_s);

/** Of the budget, which samples that are taken again and searches that take longer may need. */
#define PLANNER_RESERVE 0.15

#endif
