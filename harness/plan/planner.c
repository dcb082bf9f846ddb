/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/planner.h"

#include <stdlib.h>

static int compare(const void *a, const void *b, void *items)
{
    size_t one = *(const size_t *)a, other = *(const size_t *)b;
    const struct planner_item *x = (const struct planner_item *)items + one;
    const struct planner_item *y = (const struct planner_item *)items + other;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->cost_s != y->cost_s)
        return x->cost_s < y->cost_s ? -1 : 1;
    return one < other ? -1 : one > other;
}

size_t planner_choose(const struct planner_item *items, size_t count, double budget_s, size_t *order, double *cost_s)
{
    double sum_s = 0;
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    if (count)
        qsort_r(order, count, sizeof *order, compare, (void *)items);
    while (chosen < count && sum_s + items[order[chosen]].cost_s <= budget_s)
        sum_s += items[order[chosen++]].cost_s;
    if (cost_s)
        *cost_s = sum_s;
    return chosen;
}
