/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/backends.h"

#include "platforms/counters/backend.h"

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

void probe_clear(struct counters_probe *probe, const struct counters_backend *backend)
{
    *probe = (struct counters_probe){.backend = backend};
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        reason_cause(&probe->of[q].reason, "%s does not count %s", backend->name,
                     counter_quantity_name((enum counter_quantity)q));
}

void probe_fail(struct counters_probe *probe, const struct counters_reason *reason, counter_set quantities)
{
    probe->reason = *reason;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        if (quantities & COUNTER_SET(q))
            probe->of[q] = (struct counters_support){.grade = COUNTER_UNAVAILABLE, .reason = *reason};
}

void probe_without_header(struct counters_probe *probe, const char *header, const char *package)
{
    struct counters_reason reason;
    reason_cause(&reason, "kneepoint was built without %s", header);
    reason_remedy(&reason, "install %s (Debian) and build it again", package);
    probe_fail(probe, &reason, COUNTER_SET_ALL);
}

void probe_conclude(struct counters_probe *probe)
{
    probe->works = false;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        probe->works |= probe->of[q].grade != COUNTER_UNAVAILABLE;
    if (!probe->works && !probe->reason.cause[0])
        probe->reason = probe->of[0].reason;
}
