/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/planner.h"

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
    if (x->set_s != y->set_s)
        return x->set_s < y->set_s ? -1 : 1;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (x->cost_s != y->cost_s)
        return x->cost_s < y->cost_s ? -1 : 1;
    return one < other ? -1 : one > other;
}

size_t planner_choose(const struct planner_item *items, size_t count, struct planner_budget budget, size_t *order,
                      struct planner_budget *sum)
{
    struct planner_budget taken = {0, 0};
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    if (count)
        qsort_r(order, count, sizeof *order, compare, (void *)items);
    for (; chosen < count; chosen++) {
        const struct planner_item *next = &items[order[chosen]];
        if (taken.seconds + next->cost_s > budget.seconds || taken.bytes + next->bytes > budget.bytes)
            break;
        taken.seconds += next->cost_s;
        taken.bytes += next->bytes;
    }
    if (sum)
        *sum = taken;
    return chosen;
}
