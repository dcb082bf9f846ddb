/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/plan_teams.h"

size_t plan_team_sizes(unsigned widest, unsigned sizes[16])
{
    size_t count = 0;
    for (unsigned size = 1; size < widest && count < 15; size *= 2)
        sizes[count++] = size;
    sizes[count++] = widest;
    return count;
}
