/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The search for the roof of a level and team: which read stream is the fastest. Every stream is looked at briefly, and
 * ever fewer of them ever more closely. What the search saw chooses; beta is what the chosen stream reads afterwards,
 * since the fastest of many was also the luckiest.
 */
#include "harness/cells/beta/beta.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/cells/cell/halving.h"
#include "harness/cells/cell/rounds.h"
#include "harness/measure/session_level.h"
#include "platforms/clock/clock.h"

/** Samples of each stream that is still in; this many stay for the next stage. The last stage leaves the roof. */
static const struct halving_stage stages[] = {{SIZE_MAX, 1, 3}, {48, 1, 4}, {12, 2, 4}, {4, 3, 6}};
enum { STAGES = sizeof stages / sizeof *stages };

/** The roof itself: samples a visit, visits at first, and how many of those samples are wanted kept, in TRIES visits. */
enum { FRESH_SAMPLES = 6, FRESH_VISITS = 3, FRESH_KEPT = 12, TRIES = 8 };

/** The search takes so much of the time at most; the rest is for the roof itself. */
static const double SEARCH_SHARE = 0.7;

static double bandwidth(const struct cell *cell)
{
    return beta_bandwidth(cell).summary.median;
}

/**
 * Loads of one place without prefetch, which is how most code reads, are a class: the fastest of them goes along to the end, since
 * its samples say what the roof is above it.
 */
static const void *class_of(const struct cell *cell)
{
    static const char plain;
    const struct stream_variant *variant = beta_cell(cell)->stream.variant;
    return variant->streams == 1 && !variant->hint ? &plain : NULL;
}

/** The search within its part of the time. *stream is the best that was seen, also where time ran out. */
static int search_stream(struct session *session, struct cells *cells, const struct cell *roof,
                         const struct execution *execution, struct session_stream *stream, size_t *failed)
{
    const char *level = beta_cell(roof)->level;
    unsigned threads = roof->threads, most = execution->roof_samples;
    struct execution part = *execution;
    if (execution->deadline_s > 0)
        part = execution_within(execution, SEARCH_SHARE * (execution->deadline_s - clock_monotonic_s()));
    struct halving halving = {.session = session,
                              .cells = cells,
                              .stages = stages,
                              .stage_count = STAGES,
                              .most = most ? most : ~0u,
                              .merit = bandwidth,
                              .class_of = class_of,
                              .execution = &part,
                              .part = STAGES / (STAGES + 1.0)};
    halving.order = calloc(cells->count + 1, sizeof *halving.order);
    if (!halving.order)
        return -ENOMEM;
    for (size_t i = 0; i < cells->count; i++) {
        if (beta_is_of(&cells->cell[i], level, threads) && !beta_cell(&cells->cell[i])->roof)
            halving.order[halving.count++] = i;
    }
    int error = execution_of_part(halving_run(&halving, failed), &part, execution);
    if (halving_any_known(&halving, halving.count ? 1 : 0))
        *stream = beta_cell(&cells->cell[halving.order[0]])->stream;
    free(halving.order);
    return error;
}

/** Samples of the roof itself: many at first, a few more whenever it is read again. */
static int read_roof(struct session *session, struct cells *cells, size_t roof, const struct execution *execution,
                     size_t *failed)
{
    const struct cell *cell = &cells->cell[roof];
    unsigned asked = execution->roof_samples, visits = asked || cell->visits ? 1 : FRESH_VISITS;
    size_t wanted = asked ? STATS_KEPT_LEAST : FRESH_KEPT;
    int error = 0;
    for (unsigned i = 0; !error && i < TRIES && (i < visits || beta_bandwidth(cell).summary.n < wanted); i++)
        error = cells_visit_round(session, cells, &roof, 1, asked ? asked : FRESH_SAMPLES, execution,
                                  STAGES / (STAGES + 1.0), 1 / (STAGES + 1.0), failed);
    return error;
}

static int add_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                    const struct execution *execution, size_t *failed)
{
    size_t first = cells->count, wanted = execution->roof_samples ? STATS_KEPT_LEAST : FRESH_KEPT;
    int error = beta_add_roof(cells, session, level, threads);
    return error ? error : execution_added(execution, cells, first, cells->count, wanted, failed);
}

/** Make sure that the roof and, where nothing is chosen yet, the streams to choose from are among the cells. */
static int add_missing(struct session *session, struct cells *cells, const char *level, unsigned threads,
                       const struct execution *execution, size_t *failed)
{
    bool streams = false;
    for (size_t i = 0; i < cells->count; i++)
        streams |= beta_is_of(&cells->cell[i], level, threads) && !beta_cell(&cells->cell[i])->roof;
    int error = beta_roof_cell(cells, level, threads) ? 0 : add_roof(session, cells, level, threads, execution, failed);
    if (error || streams || beta_cell(beta_roof_cell(cells, level, threads))->stream.stream)
        return error;
    return beta_add_search(cells, session, level, threads);
}

int beta_find_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                   const struct execution *execution, size_t *failed)
{
    int error = add_missing(session, cells, level, threads, execution, failed);
    if (error)
        return error;
    struct cell *roof = beta_roof_cell(cells, level, threads);
    struct session_stream *stream = &beta_cell(roof)->stream;
    if (!stream->stream)
        error = search_stream(session, cells, roof, execution, stream, failed);
    if (!stream->stream)
        return error;
    session_set_roof(session, level, threads, &(struct session_roof){.chosen = true, .stream = *stream});
    return error || roof->suspended ? error
                                    : read_roof(session, cells, (size_t)(roof - cells->cell), execution, failed);
}
