/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session_pool_curve.h"

#include <stdbool.h>

static const double AS_SLOW = 0.95;

static bool nothing_is_slower(const struct pool_point *points, size_t count, size_t at)
{
    for (size_t i = at + 1; i < count; i++) {
        if (points[i].bytes_per_s < AS_SLOW * points[at].bytes_per_s)
            return false;
    }
    return true;
}

struct pool_verdict pool_settles(const struct pool_point *points, size_t count)
{
    if (count < 2)
        return (struct pool_verdict){POOL_UNKNOWN, 0};
    for (size_t i = 0; i + 1 < count; i++) {
        if (nothing_is_slower(points, count, i))
            return (struct pool_verdict){POOL_SETTLED, i};
    }
    return (struct pool_verdict){POOL_FALLS, count - 1};
}
