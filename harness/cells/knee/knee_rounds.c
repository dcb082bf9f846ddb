/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/rounds.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/knee/knee_summary.h"

#include "harness/cells/knee/knee.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/rounds.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/knee/knee_summary.h"

/**
 * LOOK_PAIRS of each competing distance choose one, or what LOOK_VISITS left of them; PAIRS of the cells that stay, in
 * VISITS if none is rejected. PASSES at most, since rejected samples are taken again.
 */
enum { LOOK_PAIRS = 6, LOOK_VISITS = 4, PAIRS = 9, VISITS = 3, PASSES = 8 };

struct knee {
    struct session *session;
    struct cells *cells;
    size_t first, end;
    size_t pairs;
    const struct sequence **sequences; /* each once */
    size_t sequence_count;
    size_t *order;
};

static void list_sequences(struct knee *job)
{
    for (size_t i = job->first; i < job->end; i++) {
        const struct sequence *sequence = job->cells->cell[i].sequence;
        size_t at = 0;
        while (at < job->sequence_count && job->sequences[at] != sequence)
            at++;
        if (at == job->sequence_count)
            job->sequences[job->sequence_count++] = sequence;
    }
}

static const struct sequence_variant *variant_with(const struct sequence *sequence, uint64_t accumulators)
{
    for (uint64_t i = 0; i < sequence->variants; i++) {
        if (sequence->variant[i].accumulators == accumulators)
            return &sequence->variant[i];
    }
    return NULL;
}

static void choose_variants(const struct knee *job)
{
    for (size_t i = job->first; i < job->end; i++) {
        struct cell *cell = &job->cells->cell[i];
        if (!knee_cell(cell)->variant)
            knee_cell(cell)->variant =
                variant_with(cell->sequence, gamma_fewest_accumulators(job->cells, cell->sequence));
    }
}

/** Whether all competing distances of a sequence were looked at closely enough. */
static bool has_looked(const struct knee *job, const struct sequence *sequence)
{
    for (size_t i = job->first; i < job->end; i++) {
        const struct cell *cell = &job->cells->cell[i];
        if (cell->sequence == sequence && knee_cell(cell)->competes && !cell->why[0] && !cell->suspended &&
            cell->visits < LOOK_VISITS && knee_pairs(cell) < LOOK_PAIRS)
            return false;
    }
    return true;
}

/** @return 0: not known yet */
static size_t choose_distance(const struct knee *job, const struct sequence *sequence)
{
    size_t distance = has_looked(job, sequence) ? knee_distance(job->cells, sequence) : 0;
    for (size_t i = job->first; distance && i < job->end; i++) {
        struct cell *cell = &job->cells->cell[i];
        if (cell->sequence == sequence && knee_cell(cell)->prefetches && !knee_cell(cell)->competes)
            knee_cell(cell)->prefetch_bytes = distance;
    }
    return distance;
}

/** Whether a cell has what it needs to be visited, and wants it. */
static bool is_wanting(const struct knee *job, const struct cell *cell, size_t distance)
{
    if (cell->suspended || cell->why[0] || !knee_cell(cell)->variant ||
        (knee_cell(cell)->prefetches && !knee_cell(cell)->prefetch_bytes))
        return false;
    if (knee_cell(cell)->competes && distance && distance != knee_cell(cell)->prefetch_bytes)
        return false;
    return knee_pairs(cell) < (knee_cell(cell)->competes && !distance ? (size_t)LOOK_PAIRS : job->pairs);
}

static bool has_own_values(const struct sequence *sequence)
{
    return sequence->weight_values != SEQUENCE_BYTES;
}

/** Visit once those cells of a team that want it: of one sequence, or of all that take any bytes if it is NULL. */
static int visit_team(const struct knee *job, unsigned threads, const struct sequence *only, double done, double part,
                      const struct execution *execution, size_t *visited, size_t *failed)
{
    size_t count = 0;
    for (size_t s = 0; s < job->sequence_count; s++) {
        const struct sequence *sequence = job->sequences[s];
        if (only ? sequence != only : has_own_values(sequence))
            continue;
        size_t distance = choose_distance(job, sequence);
        for (size_t i = job->first; i < job->end; i++) {
            const struct cell *cell = &job->cells->cell[i];
            if (cell->sequence == sequence && cell->threads == threads && is_wanting(job, cell, distance))
                job->order[count++] = i;
        }
    }
    cells_shuffle(job->session, job->order, count);
    *visited += count;
    size_t pairs = only ? job->pairs : (job->pairs + VISITS - 1) / VISITS;
    return cells_visit_round(job->session, job->cells, job->order, count, (unsigned)pairs, execution, done, part,
                             failed);
}

static void shuffle_sequences(const struct knee *job)
{
    for (size_t i = job->sequence_count; i > 1; i--) {
        size_t j = session_random(job->session) % i;
        const struct sequence *swap = job->sequences[i - 1];
        job->sequences[i - 1] = job->sequences[j];
        job->sequences[j] = swap;
    }
}

/** The next smaller team; 0 if there is none. */
static unsigned narrower(const struct knee *job, unsigned than)
{
    unsigned widest = 0;
    for (size_t i = job->first; i < job->end; i++) {
        unsigned threads = job->cells->cell[i].threads;
        widest = threads < than && threads > widest ? threads : widest;
    }
    return widest;
}

/**
 * One visit of all that want one, the widest team first: its cells choose the distances. Sequences that take any bytes
 * are interleaved; those that have their own written to the pool come one after the other, and stay as long as they
 * need.
 * @return as cells_visit
 */
static int pass(const struct knee *job, unsigned number, const struct execution *execution, size_t *visited,
                size_t *failed)
{
    double done = (double)number / PASSES, part = 1.0 / PASSES;
    int error = 0;
    shuffle_sequences(job);
    for (unsigned threads = narrower(job, ~0u); !error && threads; threads = narrower(job, threads))
        error = visit_team(job, threads, NULL, done, part, execution, visited, failed);
    for (size_t s = 0; !error && s < job->sequence_count; s++) {
        for (unsigned threads = narrower(job, ~0u); !error && threads; threads = narrower(job, threads)) {
            if (has_own_values(job->sequences[s]))
                error = visit_team(job, threads, job->sequences[s], done, part, execution, visited, failed);
        }
    }
    return error;
}

/** Whether distances of a sequence were tried, and every sample was rejected. */
static bool tried_in_vain(const struct cells *cells, const struct sequence *sequence)
{
    size_t samples = 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (knee_cell(&cells->cell[i]) && cells->cell[i].sequence == sequence && knee_cell(&cells->cell[i])->competes)
            samples += cells->cell[i].samples.count;
    }
    return samples && !knee_distance(cells, sequence);
}

void knee_say_why(struct cells *cells)
{
    const struct sequence *looked_at = NULL; /* cells of a sequence follow one another */
    bool lacks_gamma = false;
    for (size_t i = 0; i < cells->count; i++) {
        struct cell *cell = &cells->cell[i];
        if (!knee_cell(cell) || cell->why[0] || cell->samples.count)
            continue;
        if (!knee_cell(cell)->variant && cell->sequence != looked_at) {
            looked_at = cell->sequence;
            lacks_gamma = !gamma_fewest_accumulators(cells, cell->sequence);
        }
        if (!knee_cell(cell)->variant && lacks_gamma)
            snprintf(cell->why, sizeof cell->why, "%s: no sample of its gamma was kept", cell->sequence->name);
        else if (knee_cell(cell)->prefetches && !knee_cell(cell)->prefetch_bytes &&
                 tried_in_vain(cells, cell->sequence))
            snprintf(cell->why, sizeof cell->why, "%s: no sample of its prefetch distances was kept",
                     cell->sequence->name);
    }
}

int knee_measure(struct session *session, struct cells *cells, size_t first, size_t end, unsigned pairs,
                 const struct execution *execution, size_t *failed)
{
    struct knee job = {.session = session, .cells = cells, .first = first, .end = end, .pairs = pairs ? pairs : PAIRS};
    if (job.pairs < STATS_KEPT_LEAST)
        job.pairs = STATS_KEPT_LEAST;
    job.sequences = calloc(end - first + 1, sizeof *job.sequences);
    job.order = calloc(end - first + 1, sizeof *job.order);
    int error = job.sequences && job.order ? 0 : -ENOMEM;
    if (!error) {
        list_sequences(&job);
        choose_variants(&job);
    }
    for (unsigned number = 0; !error && number < PASSES; number++) {
        size_t visited = 0;
        error = pass(&job, number, execution, &visited, failed);
        if (!visited)
            break;
    }
    free(job.sequences);
    free(job.order);
    return error;
}
