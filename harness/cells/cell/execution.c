/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/execution.h"

#include <errno.h>

#include "platforms/clock.h"

int execution_may_visit(const struct execution *execution, const struct cell *cell)
{
    if (execution->stop && *execution->stop)
        return -EINTR;
    if (execution->deadline_s > 0 && clock_monotonic_s() + cell->last_visit_s > execution->deadline_s)
        return -ETIME;
    return 0;
}

struct execution execution_within(const struct execution *execution, double seconds)
{
    struct execution own = *execution;
    double end_s = clock_monotonic_s() + seconds;
    if (own.deadline_s <= 0 || end_s < own.deadline_s)
        own.deadline_s = end_s;
    return own;
}

int execution_of_part(int error, const struct execution *part, const struct execution *whole)
{
    bool ends_before = whole->deadline_s <= 0 || part->deadline_s < whole->deadline_s;
    return error == -ETIME && ends_before ? 0 : error;
}
