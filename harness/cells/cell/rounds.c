/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/rounds.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/visit_apart.h"
#include "harness/measure/session_pool.h"
#include "harness/plugin/plugin_crash.h"
#include "results/refuse.h"

static unsigned samples_of(const struct session *session, const struct cell *cell, unsigned count,
                           const struct execution *execution)
{
    double lap = cell->kind->lap ? (double)cell->kind->lap(session, cell) : 0;
    double least = ceil(execution->cold_laps * lap);
    if (execution->lap_samples && least > execution->lap_samples)
        least = execution->lap_samples;
    return least > count ? (unsigned)least : count;
}

/** Name of what a cell runs; NULL: neither kernel nor sequence. */
static const char *subject_of(const struct cell *cell)
{
    return cell->kernel ? cell->kernel->name : cell->sequence ? cell->sequence->name : NULL;
}

/** Whose code that is; NULL: ours. */
static const struct plugin *plugin_of(const struct session *session, const struct cell *cell)
{
    return cell->kernel     ? plugins_of_kernel(&session->plugins, cell->kernel)
           : cell->sequence ? plugins_of_sequence(&session->plugins, cell->sequence)
                            : NULL;
}

/** Samples of code that somebody may have written over belong to no hash: they go. @return 0 or -EILSEQ with why */
static int hold_against_file(const struct plugin *plugin, struct cell *cell, size_t first, size_t roof_first)
{
    if (!plugin || !plugin_file_is_rewritten(&plugin->file))
        return 0;
    cell->samples.count = first;
    cell->roof.count = roof_first;
    return refuse(-EILSEQ, cell->why, sizeof cell->why, "%s: somebody wrote into %s while it was measured",
                  subject_of(cell), plugin->path);
}

static int visit_one(struct session *session, struct cell *cell, unsigned count, const struct execution *execution)
{
    size_t first = cell->samples.count, roof_first = cell->roof.count;
    const struct plugin *plugin = plugin_of(session, cell);
    unsigned samples = samples_of(session, cell, count, execution);
    plugin_crash_now(plugin ? subject_of(cell) : NULL);
    int error = plugin && visit_apart_can(session, cell) ? visit_apart(session, cell, samples, execution->stop)
                                                         : cell_visit(session, cell, samples);
    plugin_crash_now(NULL);
    if (!error)
        error = hold_against_file(plugin, cell, first, roof_first);
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

/** Cells of a plug-in's kernel that was caught in another cell. */
static bool is_withheld(const struct session *session, struct cell *cell)
{
    const struct plugin_fault *fault = subject_of(cell) ? plugins_fault(&session->plugins, subject_of(cell)) : NULL;
    if (fault)
        snprintf(cell->why, sizeof cell->why, "%s", fault->why);
    return fault;
}

/** A wrong kernel of a plug-in ends its own cells alone. @return -ENOENT it is one of ours */
static int withhold(struct session *session, const struct cell *cell)
{
    const struct plugin *plugin = plugin_of(session, cell);
    return plugin ? plugins_withhold(&session->plugins, plugin, subject_of(cell), cell->why) : -ENOENT;
}

int cells_visit_round(struct session *session, struct cells *cells, const size_t *order, size_t count, unsigned samples,
                      const struct execution *execution, double done, double part, size_t *failed)
{
    for (size_t i = 0; i < count; i++) {
        struct cell *cell = &cells->cell[order[i]];
        if (cell->waits)
            continue;
        int error = execution_may_visit(execution, cell);
        if (error)
            return error;
        if (execution->progress)
            execution->progress(execution->context, done + part * (double)i / (double)count, cell->name);
        if (cell->why[0] || is_withheld(session, cell))
            continue;
        error = visit_one(session, cell, samples, execution);
        if (error == -EINTR)
            return error;
        if (error && !cell->why[0])
            snprintf(cell->why, sizeof cell->why, "%s: %s", cell->name, strerror(-error));
        if (error == -EILSEQ && withhold(session, cell) == 0)
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

static bool same_filling(const struct cell *a, const struct cell *b)
{
    struct session_pool_filling one = filling_of(a), other = filling_of(b);
    const struct format *format = one.format;
    return format && format->fill && other.format == format && (format_is_uniform(format) || one.k == other.k);
}

/** Move the cells that read the same filling of the pool to just after the first of them. 0 or -ENOMEM */
static int gather_fillings(const struct cells *cells, size_t *order, size_t count)
{
    size_t *gathered = calloc(count + 1, sizeof *gathered), done = 0;
    if (!gathered)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        if (order[i] == SIZE_MAX)
            continue;
        const struct cell *head = &cells->cell[order[i]];
        for (size_t j = i; j < count; j++) {
            if (j > i && (order[j] == SIZE_MAX || !same_filling(head, &cells->cell[order[j]])))
                continue;
            gathered[done++] = order[j];
            order[j] = SIZE_MAX;
        }
    }
    memcpy(order, gathered, count * sizeof *order);
    free(gathered);
    return 0;
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
    return cell->why[0] || cell->waits || cell_kept(cell) >= wanted;
}

int cells_settle(struct session *session, struct cells *cells, size_t first, size_t end, size_t wanted,
                 double patience_s, const struct execution *execution, size_t *failed)
{
    size_t *order = calloc(end - first + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    struct execution patient = execution_within(execution, patience_s);
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
                                      &patient, (double)i / (double)count, 1.0 / (double)count, failed);
    } while (count && !error);
    free(order);
    return error == -ETIME ? 0 : error;
}
