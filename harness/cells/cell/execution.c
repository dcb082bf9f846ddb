/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/execution.h"

#include <errno.h>

#include "harness/cells/cell/kind.h"
#include "platforms/clock/clock.h"

int execution_may_visit(const struct execution *execution, const struct cell *cell)
{
    if (execution->stop && *execution->stop)
        return -EINTR;
    if (execution->room && *execution->room > (cell->samples.count ? ROOM_FOR_BEGUN : ROOM_FOR_ALL))
        return -ETIME;
    if (execution->deadline_s > 0 && clock_monotonic_s() + cell->last_visit_s > execution->deadline_s)
        return -ETIME;
    return 0;
}

int execution_added(const struct execution *execution, struct cells *cells, size_t first, size_t end, size_t wanted,
                    size_t *failed)
{
    if (!execution->added || first == end)
        return 0;
    int error = execution->added(execution->context, cells, first, end);
    if (error)
        *failed = first;
    for (size_t i = first; !error && i < end; i++)
        cells->cell[i].suspended = cells->cell[i].samples.count && cell_kept(&cells->cell[i]) >= wanted;
    return error;
}

int execution_final(const struct execution *execution, const struct cells *cells, size_t end)
{
    return execution->final ? execution->final(execution->context, cells, end) : 0;
}

static void span_visited(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    const struct execution *whole = ((const struct execution_span *)context)->whole;
    whole->visited(whole->context, cell, first, roof_first);
}

static int span_added(void *context, struct cells *cells, size_t first, size_t end)
{
    const struct execution *whole = ((const struct execution_span *)context)->whole;
    return whole->added(whole->context, cells, first, end);
}

static int span_final(void *context, const struct cells *cells, size_t end)
{
    return execution_final(((const struct execution_span *)context)->whole, cells, end);
}

static void span_progress(void *context, double fraction, const char *now)
{
    const struct execution_span *span = context;
    span->whole->progress(span->whole->context, span->begin + (span->end - span->begin) * fraction, now);
}

struct execution execution_spanning(struct execution_span *span, const struct execution *whole, double begin,
                                    double end)
{
    struct execution own = *whole;
    *span = (struct execution_span){whole, begin, end};
    own.visited = whole->visited ? span_visited : NULL;
    own.added = whole->added ? span_added : NULL;
    own.final = whole->final ? span_final : NULL;
    own.progress = whole->progress ? span_progress : NULL;
    own.context = span;
    return own;
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
