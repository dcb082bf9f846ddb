/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Other ways for threads to meet. The work sleeps in the kernel, or may, so that switches and interrupts are no cause to
 * reject a sample; all others are.
 */
#include "harness/cells/join/join.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/team/join.h"

enum { REPEATS = 100 };

const char *join_way_name(enum join_way way)
{
    static const char *const names[JOIN_WAYS] = {"futex", "openmp"};
    return way < JOIN_WAYS ? names[way] : "unknown";
}

static enum join_way *way_of(const struct cell *cell)
{
    return cell->kind == &cell_kind_join ? cell->own : NULL;
}

int join_add(struct cells *cells, unsigned threads)
{
    for (int way = 0; threads > 1 && way < JOIN_WAYS; way++) {
        struct cell *cell = cells_add(cells, &cell_kind_join);
        if (!cell)
            return -ENOMEM;
        *way_of(cell) = (enum join_way)way;
        cell->threads = threads;
        cell->repeats = REPEATS;
        snprintf(cell->name, sizeof cell->name, "join/%s/t%u", join_way_name((enum join_way)way), threads);
    }
    return 0;
}

/* ---- taking samples ---- */

struct job {
    struct futex_barrier barrier;
    struct openmp *openmp;
    unsigned repeats;
};

static void run_futex(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct job *job = context;
    for (unsigned i = 0; i < job->repeats; i++)
        futex_barrier_wait(&job->barrier);
}

static void nothing(void *context)
{
    __asm__ volatile("" ::"r"(context) : "memory");
}

static void run_openmp(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct job *job = context;
    for (unsigned i = 0; i < job->repeats; i++)
        openmp_parallel(job->openmp, nothing, job);
}

/** Of a team of ours of the same size, or of the first member, which calls OpenMP's. */
static int take(struct session *session, struct cell *cell, struct job *job, unsigned count)
{
    bool is_openmp = *way_of(cell) == JOIN_OPENMP;
    if (!session_team(session, is_openmp ? 1 : cell->threads, cell->why, sizeof cell->why))
        return -EINVAL;
    job->repeats = cell->repeats;
    futex_barrier_open(&job->barrier, cell->threads);
    if (is_openmp && openmp_open(&job->openmp, session->cpus, cell->threads, cell->why, sizeof cell->why)) {
        cell->needless = true; /* no failure: there is none here, and why says so */
        return 0;
    }
    struct sampler_work work = {
        .context = job, .region = cell->name, .run = is_openmp ? run_openmp : run_futex, .sleeps = true};
    int error = cell_take(session, cell, &work, count);
    openmp_close(job->openmp);
    return error;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job *job = aligned_alloc(64, (sizeof *job + 63) / 64 * 64);
    if (!job)
        return -ENOMEM;
    *job = (struct job){.openmp = NULL};
    int error = take(session, cell, job, count);
    free(job);
    return error;
}

/** One that cannot be measured here is never waited for. */
static size_t kept(const struct cell *cell)
{
    return cell->needless ? SIZE_MAX : summary_time(cell).summary.n;
}

/* ---- what they say ---- */

static const struct cell *find(const struct cells *cells, enum join_way way, unsigned threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->kind == &cell_kind_join && *way_of(cell) == way && cell->threads == threads)
            return cell;
    }
    return NULL;
}

double join_time(const struct cells *cells, enum join_way way, unsigned threads)
{
    const struct cell *cell = find(cells, way, threads);
    return cell && cell->samples.count ? summary_stated(summary_time(cell)) : (double)NAN;
}

const char *join_why(const struct cells *cells, enum join_way way, unsigned threads)
{
    const struct cell *cell = find(cells, way, threads);
    if (!cell || isfinite(join_time(cells, way, threads)))
        return NULL;
    return cell->needless ? cell->why : "too few samples were kept";
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session, (void)cells;
    json_t *record = json_pack("{s:s, s:s, s:i}", "type", "join", "name", join_way_name(*way_of(cell)), "threads",
                               (int)cell->threads);
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    return record;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (size_t t = 0; !error && t < planning->teams; t++)
        error = join_add(cells, planning->sizes[t]);
    return error;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning, (void)cell;
    return CELL_TERMS;
}

/** A microsecond to sleep and another to wake, each time. */
static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    return (struct cell_cost){.visit_s = 2e-3, .sample_s = 1e-5 * cell->repeats};
}

const struct cell_kind cell_kind_join = {
    .name = "join",
    .own = sizeof(enum join_way),
    .never_compared = true,
    .plan = plan,
    .visit = visit,
    .kept = kept,
    .rank = 15,
    .value = value,
    .cost = cost,
    .record = record_of,
};
