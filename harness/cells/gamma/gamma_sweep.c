/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How gammas are swept: every number of accumulators a little, what is ahead of its sequence and next to that more.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/gamma/gamma.h"
#include "results/files/need.h"

static bool is_of_one_sequence(const struct cell *one, const struct cell *other)
{
    return one && one->sequence == other->sequence && one->member == other->member;
}

/** What is ahead of the sequences whose cells follow one another, found once for each of them. */
struct ahead {
    const struct cell *of, *cell;
};

static const struct cell *ahead_of(const struct cells *cells, const struct cell *cell, struct ahead *ahead)
{
    if (!is_of_one_sequence(ahead->of, cell))
        *ahead = (struct ahead){cell, gamma_ahead(cells, cell->sequence->name, cell->member)};
    return ahead->cell;
}

/** Whether a gamma cell is the best usable of its sequence so far, or next to that in accumulators. */
static bool is_near_best(const struct cells *cells, const struct cell *cell, struct ahead *known)
{
    const struct cell *ahead =
        gamma_cell(cell) && !cell->suspended && !cell->why[0] ? ahead_of(cells, cell, known) : NULL;
    if (!ahead)
        return false;
    uint64_t best = gamma_cell(ahead)->variant->accumulators, own = gamma_cell(cell)->variant->accumulators;
    return own + 1 >= best && own <= best + 1;
}

/**
 * What is ahead in its sequence, until it has samples enough to be called its best: a sequence without a best is missing
 * from every comparison, and the next one would be called the fastest.
 */
static int settle_ahead(struct session *session, struct cells *cells, size_t first, size_t end,
                        const struct execution *execution, size_t *failed)
{
    enum { ROUNDS_MOST = 6, MORE = 6 };
    size_t *order = calloc(end - first + 1, sizeof *order), chosen = 1;
    int error = order ? 0 : -ENOMEM;
    for (unsigned round = 0; !error && chosen && round < ROUNDS_MOST; round++) {
        struct ahead known = {0};
        chosen = 0;
        for (size_t i = first; i < end; i++) {
            struct cell *cell = &cells->cell[i];
            if (!gamma_cell(cell) || cell->why[0] || !cell->samples.count || ahead_of(cells, cell, &known) != cell ||
                cell->kind->kept(cell) >= BEST_OF_KEPT_LEAST)
                continue;
            cell->suspended = false;
            order[chosen++] = i;
        }
        cells_shuffle(session, order, chosen);
        if (chosen)
            error = cells_visit_round(session, cells, order, chosen, MORE, execution, (double)round / ROUNDS_MOST,
                                      1.0 / ROUNDS_MOST, failed);
    }
    free(order);
    return error;
}

int gamma_refine(struct session *session, struct cells *cells, size_t first, size_t end, unsigned rounds,
                 unsigned count, const struct execution *execution, size_t *failed)
{
    enum { CHANGES_OF_MIND = 3 };
    size_t *order = calloc(end - first + 1, sizeof *order), chosen = 1;
    unsigned *visits = calloc(end - first + 1, sizeof *visits);
    int error = order && visits ? 0 : -ENOMEM;
    for (size_t i = first; !error && i < end; i++)
        visits[i - first] = cells->cell[i].visits;
    for (unsigned pass = 0; !error && chosen && pass < CHANGES_OF_MIND; pass++) {
        struct ahead known = {0};
        chosen = 0;
        for (size_t i = first; i < end; i++) {
            if (cells->cell[i].visits == visits[i - first] && is_near_best(cells, &cells->cell[i], &known))
                order[chosen++] = i;
        }
        for (unsigned round = 0; !error && chosen && round < rounds; round++) {
            cells_shuffle(session, order, chosen);
            error = cells_visit_round(session, cells, order, chosen, count, execution, (double)round / rounds,
                                      1.0 / rounds, failed);
        }
    }
    free(order);
    free(visits);
    if (!error)
        error = settle_ahead(session, cells, first, end, execution, failed);
    return error;
}

int gamma_sweep(struct session *session, struct cells *cells, size_t first, size_t end,
                const struct execution *execution, size_t *failed)
{
    enum { SWEEP_SAMPLES = 12, SWEEP_VISITS = 2, BEST_SAMPLES = 48, BEST_VISITS = 4 };
    int error = cells_visit(session, cells, first, end, SWEEP_VISITS, SWEEP_SAMPLES / SWEEP_VISITS, execution, failed);
    return error ? error
                 : gamma_refine(session, cells, first, end, BEST_VISITS, BEST_SAMPLES / BEST_VISITS, execution, failed);
}

/* ---- in a characterization ---- */

/** Of each gamma cell the gamma of what is ahead in its sequence; NaN if none is. @return of malloc; NULL without memory */
static double *lowest_of_all(const struct cells *cells)
{
    double *lowest = need(cells->count + 1, sizeof *lowest);
    const struct cell *before = NULL;
    for (size_t i = 0; lowest && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i], *ahead = NULL;
        if (!gamma_cell(cell))
            continue;
        bool is_known = is_of_one_sequence(before, cell);
        if (!is_known)
            ahead = gamma_ahead(cells, cell->sequence->name, cell->member);
        lowest[i] = is_known ? lowest[before - cells->cell] : ahead ? gamma_summary(ahead).summary.median : (double)NAN;
        before = cell;
    }
    return lowest;
}

/** Whether a sequence, on the core of a member, has the best gamma of those as wide as its weights. */
static bool is_best_of_width(const struct cells *cells, size_t index, const double *lowest)
{
    const struct cell *cell = &cells->cell[index];
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *other = &cells->cell[i];
        if (gamma_cell(other) && other->sequence != cell->sequence && other->member == cell->member &&
            other->sequence->bytes_per_vector == cell->sequence->bytes_per_vector && lowest[i] < lowest[index])
            return false;
    }
    return isfinite(lowest[index]);
}

/** Whether a kernel that runs here is predicted from its gamma. */
static bool predicts(const struct session *session, const struct sequence *sequence)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (session_runs(session, (*kernel)->isa) && strcmp(kernel_gamma(*kernel), sequence->name) == 0)
            return true;
    }
    return false;
}

int gamma_refine_exactly(struct session *session, struct cells *cells, size_t first, size_t end,
                         const struct execution *execution, size_t *failed)
{
    enum { EXACT_PAIRS = 12, EXACT_VISITS = 2 };
    const struct cell *judged = NULL;
    double *lowest = lowest_of_all(cells);
    bool exact = false;
    for (size_t i = first; lowest && i < end; i++) {
        struct cell *cell = &cells->cell[i];
        if (!is_of_one_sequence(judged, cell))
            exact = strcmp(cell->sequence->origin, "kneepoint") != 0 || predicts(session, cell->sequence) ||
                    is_best_of_width(cells, i, lowest);
        judged = cell;
        cell->suspended = !exact;
    }
    if (!lowest)
        return -ENOMEM;
    free(lowest);
    int error = gamma_refine(session, cells, first, end, EXACT_VISITS, EXACT_PAIRS / EXACT_VISITS, execution, failed);
    for (size_t i = first; i < end; i++)
        cells->cell[i].left_out &= !cells->cell[i].samples.count;
    return error;
}
