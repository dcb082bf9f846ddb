/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/backends.h"

_Static_assert((int)COUNTERS_BACKENDS <= (int)COUNTERS_BACKENDS_MOST, "raise COUNTERS_BACKENDS_MOST");

/* In the order of their names. */
#define ENTRY(descriptor) &descriptor,
static const struct counters_backend *const registered[COUNTERS_BACKENDS] = {REGISTRY_COUNTERS(ENTRY)};
#undef ENTRY

/** How many come before one of them. */
static size_t rank_of(size_t index)
{
    size_t before = 0;
    for (size_t other = 0; other < COUNTERS_BACKENDS; other++) {
        int ahead = registered[other]->priority - registered[index]->priority;
        before += ahead > 0 || (ahead == 0 && other < index);
    }
    return before;
}

const struct counters_backend *counters_backend(size_t rank)
{
    size_t index = 0;
    while (rank_of(index) != rank)
        index++;
    return registered[index];
}
