/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/plan.h"

void plan_release(struct plan *plan)
{
    cells_release(&plan->cells);
}

size_t plan_team_sizes(unsigned widest, unsigned sizes[16])
{
    size_t count = 0;
    for (unsigned size = 1; size < widest && count < 15; size *= 2)
        sizes[count++] = size;
    sizes[count++] = widest;
    return count;
}
