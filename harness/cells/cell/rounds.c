/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/rounds.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/external_code.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/visit_apart.h"
#include "harness/measure/session_pool.h"
#include "harness/plugin/plugin_crash.h"
#include "platforms/clock/clock.h"
#include "results/text/refuse.h"

static unsigned samples_of(const struct session *session, const struct cell *cell, unsigned count,
                           const struct execution *execution)
{
    double lap = cell->kind->lap ? (double)cell->kind->lap(session, cell) : 0;
    double least = ceil(execution->cold_laps * lap);
    if (execution->lap_samples && least > execution->lap_samples)
        least = execution->lap_samples;
    return least > count ? (unsigned)least : count;
}

/** Samples of code that may have been overwritten belong to no hash: they are dropped. @return 0 or -EILSEQ with why */
static int hold_against_file(const struct session *session, struct cell *cell, size_t first, size_t roof_first)
{
    struct external_code code;
    for (size_t i = 0; external_code_at(session, cell, i, &code); i++) {
        if (!code.plugin || !plugin_file_is_rewritten(&code.plugin->file))
            continue;
        cell->samples.count = first;
        cell->roof.count = roof_first;
        return refuse(-EILSEQ, cell->why, sizeof cell->why, "%s: %s was changed while it was measured", code.name,
                      code.plugin->path);
    }
    return 0;
}

/** Code of others in a process of its own, all else in this one. */
static int visit_where_it_belongs(struct session *session, struct cell *cell, unsigned samples,
                                  const struct execution *execution)
{
    struct external_code code;
    if (!external_code_at(session, cell, 0, &code))
        return cell_visit(session, cell, samples);
    if (visit_apart_can(session, cell))
        return visit_apart(session, cell, samples, execution->stop);
    int error = cell->kind->apart ? visit_rehearse(session, cell, samples, execution->stop) : 0;
    plugin_crash_now(code.name);
    if (!error)
        error = cell_visit(session, cell, samples);
    plugin_crash_now(NULL);
    return error;
}

static int visit_one(struct session *session, struct cell *cell, unsigned count, const struct execution *execution)
{
    size_t first = cell->samples.count, roof_first = cell->roof.count;
    unsigned samples = samples_of(session, cell, count, execution);
    int error = visit_where_it_belongs(session, cell, samples, execution);
    if (!error)
        error = hold_against_file(session, cell, first, roof_first);
    if (!error && execution->visited)
        execution->visited(execution->context, cell, first, roof_first);
    return error;
}

void cells_shuffle(struct session *session, size_t *order, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = session_random(session) % i;
        size_t swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

int cells_visit_round(struct session *session, struct cells *cells, const size_t *order, size_t count, unsigned samples,
                      const struct execution *execution, double done, double part, size_t *failed)
{
    for (size_t i = 0; i < count; i++) {
        struct cell *cell = &cells->cell[order[i]];
        if (cell->suspended)
            continue;
        int error = execution_may_visit(execution, cell);
        if (error)
            return error;
        if (execution->progress)
            execution->progress(execution->context, done + part * (double)i / (double)count, cell->name);
        if (cell->why[0] || external_code_is_withheld(session, cell))
            continue;
        error = visit_one(session, cell, samples, execution);
        if (error == -EINTR)
            return error;
        if (error == -ENOMEM && !cell->why[0])
            session_no_memory(cell->name, cell->why, sizeof cell->why);
        if (error && !cell->why[0])
            snprintf(cell->why, sizeof cell->why, "%s: %s", cell->name, strerror(-error));
        if (error == -EILSEQ && external_code_withhold(session, cells, cell) == 0)
            continue;
        if (error && (!execution->keep_going || error == -EILSEQ)) {
            *failed = order[i];
            return error;
        }
    }
    return 0;
}

/** What a visit needs written to the pool; nothing where any bytes will do. */
static struct session_pool_filling filling_of(const struct cell *cell)
{
    return cell->kind->filling ? cell->kind->filling(cell) : (struct session_pool_filling){0};
}

static bool same_filling(struct session_pool_filling one, struct session_pool_filling other)
{
    return other.format == one.format && (format_is_uniform(one.format) || one.k == other.k);
}

/** Move the cells that read the same filling of the pool to just after the first of them. 0 or -ENOMEM */
static int gather_fillings(const struct cells *cells, size_t *order, size_t count)
{
    size_t *gathered = calloc(count + 1, sizeof *gathered), done = 0;
    struct session_pool_filling *filling = calloc(count + 1, sizeof *filling);
    for (size_t i = 0; gathered && filling && i < count; i++)
        filling[i] = filling_of(&cells->cell[order[i]]);
    for (size_t i = 0; gathered && filling && i < count; i++) {
        if (order[i] == SIZE_MAX)
            continue;
        const bool is_filled = filling[i].format && filling[i].format->fill;
        gathered[done++] = order[i];
        for (size_t j = i + 1; is_filled && j < count; j++) {
            if (order[j] == SIZE_MAX || !same_filling(filling[i], filling[j]))
                continue;
            gathered[done++] = order[j];
            order[j] = SIZE_MAX;
        }
    }
    int error = gathered && filling ? 0 : -ENOMEM;
    if (!error)
        memcpy(order, gathered, count * sizeof *order);
    free(gathered);
    free(filling);
    return error;
}

int cells_visit(struct session *session, struct cells *cells, size_t first, size_t end, unsigned rounds, unsigned count,
                const struct execution *execution, size_t *failed)
{
    size_t visited = end - first;
    size_t *order = calloc(visited + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    for (size_t i = 0; i < visited; i++)
        order[i] = first + i;
    int error = 0;
    for (unsigned round = 0; !error && round < rounds; round++) {
        cells_shuffle(session, order, visited);
        error = gather_fillings(cells, order, visited);
        if (error)
            break;
        error = cells_visit_round(session, cells, order, visited, count, execution, (double)round / rounds,
                                  1.0 / rounds, failed);
    }
    free(order);
    return error;
}

/** Samples of a settling visit: more than are missing, except where each takes long. */
static unsigned settling_samples(const struct cell *cell, size_t wanted)
{
    static const double LONG_S = 5e-3;
    enum { SAMPLES = 6 };
    size_t taken = cell->samples.count, missing = wanted - cell_kept(cell);
    bool is_long = taken && cell->samples.sample[taken - 1].wall_s > LONG_S;
    return is_long && missing < SAMPLES ? (unsigned)missing : SAMPLES;
}

static bool is_settled(const struct cell *cell, size_t wanted)
{
    return cell->why[0] || cell->suspended || cell_kept(cell) >= wanted;
}

int cells_settle(struct session *session, struct cells *cells, size_t first, size_t end, size_t wanted,
                 double patience_s, const struct execution *execution, size_t *failed)
{
    size_t *order = calloc(end - first + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    struct execution patient = execution_within(execution, patience_s);
    const double began_s = clock_monotonic_s();
    int error = 0;
    size_t count;
    do {
        count = 0;
        for (size_t i = first; i < end; i++) {
            if (!is_settled(&cells->cell[i], wanted))
                order[count++] = i;
        }
        cells_shuffle(session, order, count);
        for (size_t i = 0; !error && i < count; i++)
            error = cells_visit_round(session, cells, &order[i], 1, settling_samples(&cells->cell[order[i]], wanted),
                                      &patient, fmin(1, (clock_monotonic_s() - began_s) / patience_s), 0, failed);
    } while (count && !error);
    free(order);
    return error == -ETIME ? 0 : error;
}

uint64_t sample_iterations(double cycles)
{
    double iterations = cycles > 1 ? SAMPLE_CYCLES / cycles : SAMPLE_CYCLES;
    return iterations < 4 ? 4 : (uint64_t)iterations;
}
