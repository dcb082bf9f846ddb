/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/plan_settle.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "harness/cells/cell/kind.h"
#include "harness/cells/gamma.h"
#include "harness/plan/plan_rounds.h"

static bool is_settled(const struct cell *cell, size_t wanted)
{
    if (cell->why[0])
        return true;
    return cell->kind->has_kept ? cell->kind->has_kept(cell, wanted) : summary_time(cell).summary.n >= wanted;
}

int plan_settle(struct session *session, struct plan *plan, size_t first, size_t end, size_t wanted, double patience_s,
                const struct execution *execution, size_t *failed)
{
    size_t *order = calloc(end - first + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    struct execution patient = plan_within(execution, patience_s);
    int error = 0;
    size_t count;
    do {
        count = 0;
        for (size_t i = first; i < end; i++) {
            if (!is_settled(&plan->cells.cell[i], wanted))
                order[count++] = i;
        }
        plan_shuffle(session, order, count);
        if (count)
            error = plan_visit_round(session, plan, order, count, 6, &patient, 0, 1, failed);
    } while (count && !error);
    free(order);
    return error == -ETIME ? 0 : error;
}

/** Whether a gamma cell is the best usable of its sequence, or next to that in accumulators. */
static bool is_near_best(const struct plan *plan, const struct cell *cell)
{
    unsigned best = 0;
    if (!gamma_cell(cell) || cell->why[0] ||
        !isfinite(gamma_best_on(&plan->cells, cell->sequence->name, cell->member, &best)))
        return false;
    return gamma_cell(cell)->variant->accumulators + 1 >= best && gamma_cell(cell)->variant->accumulators <= best + 1;
}

int plan_refine_gamma(struct session *session, struct plan *plan, size_t first, size_t end, unsigned rounds,
                      unsigned count, const struct execution *execution, size_t *failed)
{
    enum { CHANGES_OF_MIND = 3 };
    size_t *order = calloc(end - first + 1, sizeof *order), chosen = 1;
    unsigned *visits = calloc(end - first + 1, sizeof *visits);
    int error = order && visits ? 0 : -ENOMEM;
    for (size_t i = first; !error && i < end; i++)
        visits[i - first] = plan->cells.cell[i].visits;
    for (unsigned pass = 0; !error && chosen && pass < CHANGES_OF_MIND; pass++) {
        chosen = 0;
        for (size_t i = first; i < end; i++) {
            if (plan->cells.cell[i].visits == visits[i - first] && is_near_best(plan, &plan->cells.cell[i]))
                order[chosen++] = i;
        }
        for (unsigned round = 0; !error && chosen && round < rounds; round++) {
            plan_shuffle(session, order, chosen);
            error = plan_visit_round(session, plan, order, chosen, count, execution, (double)round / rounds,
                                     1.0 / rounds, failed);
        }
    }
    free(order);
    free(visits);
    return error;
}

int plan_sweep_gamma(struct session *session, struct plan *plan, size_t first, size_t end,
                     const struct execution *execution, size_t *failed)
{
    enum { SWEEP_SAMPLES = 12, SWEEP_VISITS = 2, BEST_SAMPLES = 48, BEST_VISITS = 4 };
    int error = plan_visit(session, plan, first, end, SWEEP_VISITS, SWEEP_SAMPLES / SWEEP_VISITS, execution, failed);
    return error ? error
                 : plan_refine_gamma(session, plan, first, end, BEST_VISITS, BEST_SAMPLES / BEST_VISITS, execution,
                                     failed);
}
