/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/peers_look.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/summary.h"
#include "harness/cells/product/best_peer.h"
#include "harness/cells/product/product_cell.h"

void peers_look_release(struct peers_look *look)
{
    free(look->names);
    *look = (struct peers_look){0};
}

/** Seconds that its shortest sample took, rejected or not: what disturbs makes it longer. */
static double least_s(const struct cell *cell)
{
    double least = INFINITY;
    for (size_t i = 0; i < cell->samples.count; i++) {
        double seconds;
        enum sample_grade grade;
        summary_time_of(cell, i, &seconds, &grade);
        least = fmin(least, seconds);
    }
    return least;
}

static bool is_named(const struct product_job *job, const struct session *session, const struct cell *cell)
{
    return job->kernels_named && !plugins_of_kernel(&session->plugins, cell->kernel);
}

/** What its call took when it was tried; INFINITY: it was not. */
static double tried_s(const struct product_job *job, const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    for (size_t i = 0; own && i < job->tried_count; i++) {
        const struct product_work *work = &job->tried[i].work;
        if (work->kernel == cell->kernel && work->m == own->m && work->k == own->k && work->tokens == own->tokens &&
            work->threads == cell->threads)
            return job->tried[i].call_s;
    }
    return INFINITY;
}

/** What a look goes by: the shortest sample, or with a job what was tried. */
static double looked_s(const struct product_job *job, const struct cell *cell)
{
    return job ? tried_s(job, cell) : least_s(cell);
}

/** Times that a cell took of what the fastest of its side took, among those that it is compared with; others: how many these are. */
static double times_of_least(const struct session *session, const struct cells *cells, const struct cell *cell,
                             const struct product_job *tried, size_t *others)
{
    const struct plugin *side = plugins_of_kernel(&session->plugins, cell->kernel);
    double least = INFINITY;
    *others = 0;
    for (const struct cell *other = cells->cell; other < cells->cell + cells->count; other++) {
        if (!other->kernel || plugins_of_kernel(&session->plugins, other->kernel) != side ||
            !best_peer_is_alike(cell, other))
            continue;
        *others += other != cell;
        least = fmin(least, looked_s(tried, other));
    }
    return looked_s(tried, cell) / least;
}

static bool is_near(const void *context, struct cell *cell)
{
    (void)context;
    return !cell->suspended;
}

void peers_look_leave_out(const struct product_job *job, const struct session *session, struct cells *cells)
{
    for (struct cell *cell = cells->cell; cell < cells->cell + cells->count; cell++) {
        size_t others;
        const double seconds = tried_s(job, cell);
        cell->suspended = isfinite(seconds) && seconds > PEERS_LOOK_LONG_S &&
                          times_of_least(session, cells, cell, job, &others) > PEERS_LOOK_TRIED;
    }
    cells_keep(cells, 0, is_near, NULL);
}

static bool is_worth(const struct product_job *job, const struct session *session, const struct cells *cells,
                     const struct cell *cell)
{
    size_t others;
    return is_named(job, session, cell) || !cell->samples.count ||
           !(times_of_least(session, cells, cell, NULL, &others) > PEERS_LOOK_ALIKE);
}

void peers_look_suspend(const struct session *session, struct cells *cells)
{
    for (struct cell *cell = cells->cell; cell < cells->cell + cells->count; cell++) {
        size_t others;
        cell->suspended |=
            cell->samples.count && (times_of_least(session, cells, cell, NULL, &others) > PEERS_LOOK_FAR || !others);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

int peers_look_choose(const struct product_job *job, const struct session *session, const struct cells *cells,
                      struct peers_look *look)
{
    *look = (struct peers_look){.names = calloc(cells->count + 1, sizeof *look->names)};
    if (!look->names)
        return -ENOMEM;
    for (size_t i = 0; i < cells->count; i++) {
        if (is_worth(job, session, cells, &cells->cell[i]))
            strcpy(look->names[look->count++], cells->cell[i].name);
    }
    qsort(look->names, look->count, sizeof *look->names, by_name);
    return 0;
}

static bool is_chosen(const void *context, struct cell *cell)
{
    const struct peers_look *look = context;
    return bsearch(cell->name, look->names, look->count, sizeof *look->names, by_name) != NULL;
}

void peers_look_keep(const struct peers_look *look, struct cells *cells, size_t first)
{
    cells_keep(cells, first, is_chosen, look);
}
