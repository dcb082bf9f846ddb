/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The search for the roof of a level and team: which read stream is the fastest. Every stream is looked at briefly, and
 * ever fewer of them ever more closely. What the search saw chooses; beta is what the chosen stream reads afterwards,
 * since the fastest of many was also the luckiest.
 */
#include "harness/cells/beta.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/cells/cell/rounds.h"
#include "harness/measure/session_level.h"
#include "platforms/clock.h"

/** Samples of each stream that is still in; so many stay for the next stage. The last stage leaves the roof. */
static const struct stage {
    size_t keep;
    unsigned rounds, samples;
} stages[] = {{SIZE_MAX, 1, 3}, {48, 1, 4}, {12, 2, 4}, {4, 3, 6}};
enum { STAGES = sizeof stages / sizeof *stages };

/** More visits of a stream in a stage while no sample of it was kept. */
enum { LOOKS = 3 };

/** The roof itself: samples a visit, visits at first, and how many of those samples are wanted kept, in TRIES visits. */
enum { FRESH_SAMPLES = 6, FRESH_VISITS = 3, FRESH_KEPT = 12, TRIES = 8 };

/** The search takes so much of the time at most; the rest is for the roof itself. */
static const double SEARCH_SHARE = 0.7;

struct ranked {
    size_t index;
    double bandwidth;
};

static int faster_first(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->bandwidth, y = ((const struct ranked *)b)->bandwidth;
    return (x < y) - (x > y);
}

/** Order the cells fastest first. @return how many of them stay; -ENOMEM */
static long keep_fastest(const struct cells *cells, size_t *order, size_t count, size_t keep)
{
    struct ranked *ranked = calloc(count + 1, sizeof *ranked);
    if (!ranked)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        double bandwidth = beta_bandwidth(&cells->cell[order[i]]).summary.median;
        ranked[i] = (struct ranked){order[i], bandwidth > 0 ? bandwidth : 0};
    }
    qsort(ranked, count, sizeof *ranked, faster_first);
    for (size_t i = 0; i < count; i++)
        order[i] = ranked[i].index;
    free(ranked);
    return (long)(count < keep ? count : keep);
}

static bool any_kept(const struct cells *cells, const size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (beta_bandwidth(&cells->cell[order[i]]).summary.median > 0)
            return true;
    }
    return false;
}

struct search {
    struct session *session;
    struct cells *cells;
    size_t *order, count;
    unsigned most; /* samples a visit */
    const struct execution *execution;
};

static int visit_all(const struct search *search, unsigned samples, double done, double part, size_t *failed)
{
    cells_shuffle(search->session, search->order, search->count);
    return cells_visit_round(search->session, search->cells, search->order, search->count,
                             samples < search->most ? samples : search->most, search->execution, done, part, failed);
}

/** Loads of one place without prefetch, which is how most code reads. */
static bool is_plain(const struct cell *cell)
{
    const struct stream_variant *variant = beta_cell(cell)->stream.variant;
    return variant->streams == 1 && !variant->hint;
}

/** Look again at those streams of which no sample was kept, so that none is dropped unseen. */
static int look_again(struct search *search, unsigned samples, double done, size_t *failed)
{
    size_t *order = search->order, count = search->count;
    int error = 0;
    for (unsigned more = 0; !error && more < LOOKS; more++) {
        size_t unseen = 0;
        for (size_t i = 0; i < count; i++) {
            if (any_kept(search->cells, &order[i], 1))
                continue;
            size_t swap = order[unseen];
            order[unseen++] = order[i];
            order[i] = swap;
        }
        search->count = unseen;
        if (unseen)
            error = visit_all(search, samples, done, 0, failed);
    }
    search->count = count;
    return error;
}

/** The fastest plain stream goes along to the end: what the roof is above it is told by its samples. */
static void keep_plain(struct search *search, size_t all)
{
    for (size_t i = 0; i < all; i++) {
        size_t index = search->order[i];
        if (!is_plain(&search->cells->cell[index]))
            continue;
        if (i >= search->count) {
            search->order[i] = search->order[search->count];
            search->order[search->count++] = index;
        }
        return;
    }
}

static int run_stage(struct search *search, unsigned number, size_t *failed)
{
    const struct stage *stage = &stages[number];
    size_t all = search->count;
    long kept = keep_fastest(search->cells, search->order, all, stage->keep);
    if (kept < 0)
        return -ENOMEM;
    search->count = (size_t)kept;
    keep_plain(search, all);
    /* a stage that was asked for few samples has one round of them */
    unsigned rounds = search->most < stage->samples ? 1 : stage->rounds;
    int error = 0;
    for (unsigned round = 0; !error && round < rounds; round++)
        error = visit_all(search, stage->samples, (number + (double)round / rounds) / (STAGES + 1),
                          1.0 / (STAGES + 1) / rounds, failed);
    return error ? error : look_again(search, stage->samples, (number + 1.0) / (STAGES + 1), failed);
}

/** All stages, and more where not one sample of the last was kept. The winner is order[0]. */
static int run_stages(struct search *search, size_t *failed)
{
    int error = 0;
    for (unsigned number = 0; !error && number < STAGES; number++)
        error = run_stage(search, number, failed);
    for (unsigned more = 0; !error && more < TRIES && !any_kept(search->cells, search->order, search->count); more++)
        error = visit_all(search, stages[0].samples, 1, 0, failed);
    long kept = keep_fastest(search->cells, search->order, search->count, 1);
    return kept < 0 ? -ENOMEM : error;
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
    struct search search = {.session = session, .cells = cells, .most = most ? most : ~0u, .execution = &part};
    search.order = calloc(cells->count + 1, sizeof *search.order);
    if (!search.order)
        return -ENOMEM;
    for (size_t i = 0; i < cells->count; i++) {
        if (beta_is_of(&cells->cell[i], level, threads) && !beta_cell(&cells->cell[i])->roof)
            search.order[search.count++] = i;
    }
    int error = execution_of_part(run_stages(&search, failed), &part, execution);
    if (any_kept(cells, search.order, search.count ? 1 : 0))
        *stream = beta_cell(&cells->cell[search.order[0]])->stream;
    free(search.order);
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

/** Make sure that the roof and, where nothing is chosen yet, the streams to choose from are among the cells. */
static int add_missing(struct session *session, struct cells *cells, const char *level, unsigned threads)
{
    bool streams = false;
    for (size_t i = 0; i < cells->count; i++)
        streams |= beta_is_of(&cells->cell[i], level, threads) && !beta_cell(&cells->cell[i])->roof;
    const struct cell *roof = beta_roof_cell(cells, level, threads);
    int error = roof ? 0 : beta_add_roof(cells, session, level, threads);
    if (error || streams || beta_cell(beta_roof_cell(cells, level, threads))->stream.stream)
        return error;
    return beta_add_search(cells, session, level, threads);
}

int beta_find_roof(struct session *session, struct cells *cells, const char *level, unsigned threads,
                   const struct execution *execution, size_t *failed)
{
    int error = add_missing(session, cells, level, threads);
    if (error)
        return error;
    struct cell *roof = beta_roof_cell(cells, level, threads);
    struct session_stream *stream = &beta_cell(roof)->stream;
    if (!stream->stream)
        error = search_stream(session, cells, roof, execution, stream, failed);
    if (!stream->stream)
        return error;
    session_set_roof(session, level, threads, &(struct session_roof){.chosen = true, .stream = *stream});
    return error ? error : read_roof(session, cells, (size_t)(roof - cells->cell), execution, failed);
}
