/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See tuning_match.h.
 */
#include "results/tuned/tuning_match.h"

#include <math.h>
#include <string.h>

static double octaves(size_t one, size_t other)
{
    return fabs(log2((double)one / (double)other));
}

double tuning_distance(const struct tuning_problem *one, const struct tuning_problem *other)
{
    return octaves(one->m, other->m) + octaves(one->k, other->k) + octaves(one->n, other->n);
}

/** A table has nine digits of it. */
static bool same_bound(double one, double other)
{
    return fabs(one - other) <= 1e-8 * fmax(fabs(one), fabs(other));
}

bool tuning_is_of_family(const struct tuning_problem *one, const struct tuning_problem *other)
{
    return strcmp(one->format, other->format) == 0 && strcmp(one->takes, other->takes) == 0 &&
           same_bound(one->error_bound, other->error_bound) && one->threads == other->threads &&
           one->cold == other->cold;
}

static bool answers(const struct tuning_query *query, const struct tuning_cell *cell)
{
    if (!tuning_is_of_family(query->problem, &cell->problem) || !isfinite(cell->time_s))
        return false;
    if (query->leave_out && tuning_distance(query->problem, &cell->problem) == 0)
        return false;
    return query->kernel ? strcmp(query->kernel, cell->kernel) == 0 && query->gemm == cell->gemm : cell->best;
}

/** Of two at one distance of a problem the same comes first whatever their order in the table is. */
static bool comes_before(const struct tuning_problem *of, const struct tuning_cell *one,
                         const struct tuning_cell *other)
{
    double by_tokens = octaves(of->n, one->problem.n) - octaves(of->n, other->problem.n);
    if (by_tokens != 0)
        return by_tokens < 0;
    const size_t left[] = {one->problem.m, one->problem.k, one->problem.n},
                 right[] = {other->problem.m, other->problem.k, other->problem.n};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        if (left[i] != right[i])
            return left[i] < right[i];
    }
    int by_name = strcmp(one->kernel, other->kernel);
    return by_name ? by_name < 0 : one->gemm < other->gemm;
}

const struct tuning_cell *tuning_match(const struct tuning_table *table, const struct tuning_query *query)
{
    const struct tuning_cell *found = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < table->count; i++) {
        const struct tuning_cell *cell = &table->cell[i];
        if (!answers(query, cell))
            continue;
        double distance = tuning_distance(query->problem, &cell->problem);
        if (distance < least || (distance == least && comes_before(query->problem, cell, found))) {
            found = cell;
            least = distance;
        }
    }
    return found;
}

struct tuning_loss tuning_loss(const struct tuning_table *table)
{
    struct tuning_loss loss = {.geometric_mean = NAN, .worst = NAN};
    double sum = 0, worst = INFINITY;
    for (size_t i = 0; i < table->count; i++) {
        const struct tuning_cell *cell = &table->cell[i];
        double share = cell->time_s / cell->left_out_time_s;
        if (!cell->best || !(share > 0) || !isfinite(share))
            continue;
        sum += log(share);
        worst = fmin(worst, share);
        loss.problems++;
    }
    if (loss.problems) {
        loss.geometric_mean = exp(sum / (double)loss.problems);
        loss.worst = worst;
    }
    return loss;
}
