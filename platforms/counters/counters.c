/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/counters/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "platforms/counters/backend.h"
#include "platforms/counters/backends.h"
#include "platforms/counters/reason.h"
#include "platforms/topology/affinity.h"

struct counters {
    size_t count;
    struct {
        const struct counters_backend *backend;
        struct counters_session *session;
    } open[COUNTERS_BACKENDS];     /* the cheapest last: it brackets the sample most closely */
    struct counters_sample absent; /* what no open session fills */
};

/* A probe must run on the CPU that it speaks of: an event of an E core never counts on a P core. */
int counters_probe_all(const struct counters_system *system, unsigned cpu, struct counters_probe *probes)
{
    struct affinity *before;
    int error = affinity_keep(&before);
    if (before && affinity_bind(cpu) == -ENOMEM)
        error = -ENOMEM;
    for (size_t b = 0; !error && b < COUNTERS_BACKENDS; b++) {
        probe_clear(&probes[b], counters_backend(b));
        probes[b].backend->probe(system, cpu, &probes[b]);
    }
    affinity_restore(before);
    return error;
}

/* What the plan gives to one back end, of what was asked for. */
static counter_set share_of(const struct counters_plan *plan, const struct counters_backend *backend, counter_set asked)
{
    counter_set share = 0;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        if (plan->of[q].backend == backend)
            share |= COUNTER_SET(q);
    return share & asked;
}

static void mark_absent(struct counters *counters, counter_set quantities, const char *reason)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        if (quantities & COUNTER_SET(q))
            value_unavailable(&counters->absent.of[q], "%s", reason);
}

static void mark_unplanned(struct counters *counters, const struct counters_plan *plan, counter_set asked)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        mark_absent(counters, COUNTER_SET(q), asked & COUNTER_SET(q) ? plan->of[q].reason : "not asked for");
}

int counters_open(const struct counters_plan *plan, const struct counters_system *system,
                  const struct counters_request *request, struct counters **out, char *why, size_t size)
{
    int status = -ENOTSUP;
    struct counters *counters = calloc(1, sizeof *counters);
    snprintf(why, size, "no back end counts what was asked for");
    if (!counters) {
        snprintf(why, size, "no memory for the counters");
        return -ENOMEM;
    }
    mark_unplanned(counters, plan, request->quantities);
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        const struct counters_backend *backend = counters_backend(b);
        struct counters_request share = *request;
        share.quantities = share_of(plan, backend, request->quantities);
        if (!share.quantities)
            continue;
        counters->open[counters->count].backend = backend;
        status = backend->open(system, &share, &counters->open[counters->count].session, why, size);
        if (status == 0)
            counters->count++;
        else
            mark_absent(counters, share.quantities, why);
    }
    if (counters->count == 0) {
        free(counters);
        return status;
    }
    snprintf(why, size, "%s", "");
    *out = counters;
    return 0;
}

void counters_begin(struct counters *counters)
{
    counters_fence();
    for (size_t b = 0; b < counters->count; b++)
        counters->open[b].backend->begin(counters->open[b].session);
    counters_fence();
}

void counters_end(struct counters *counters)
{
    counters_fence();
    for (size_t b = counters->count; b-- > 0;)
        counters->open[b].backend->end(counters->open[b].session);
}

void counters_result(struct counters *counters, struct counters_sample *sample)
{
    *sample = counters->absent;
    for (size_t b = 0; b < counters->count; b++)
        counters->open[b].backend->result(counters->open[b].session, sample);
}

void counters_close(struct counters *counters)
{
    if (!counters)
        return;
    for (size_t b = 0; b < counters->count; b++)
        counters->open[b].backend->close(counters->open[b].session);
    free(counters);
}
