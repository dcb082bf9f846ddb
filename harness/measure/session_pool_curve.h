/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/** How fast memory is read round and round, by how much of it there is: from which size on no cache helps. Pure. */

/** What a team reads in a second of this many bytes, which it reads again and again. */
struct pool_point {
    double bytes, bytes_per_s;
};

enum pool_end {
    POOL_UNKNOWN, /* fewer than two points: nothing to compare */
    POOL_FALLS,   /* the largest is still slower than the one before: it is not known where that ends */
    POOL_SETTLED
};

struct pool_verdict {
    enum pool_end end;
    size_t index; /* settled: the smallest size that is as slow as all larger ones; falls: the largest */
};

/**
 * Where a curve stops falling. A point is as slow as a larger one if that reads no more than 5% less: what bandwidth
 * varies by on a shared host, and less than a cache that still holds a tenth of the pool and is half again as fast gives.
 * @param points  ascending in bytes
 */
struct pool_verdict pool_settles(const struct pool_point *points, size_t count);
