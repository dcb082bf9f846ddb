/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/backend.h"

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
