/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "harness/cells/cell/kind.h"

static bool belongs(const struct cell *one, const struct cell *next)
{
    return next->kind == one->kind && next->value == one->value && one->kind->inseparable &&
           one->kind->inseparable(one, next);
}

static double cost_of(const struct session *session, const struct cell *cell, unsigned kept)
{
    struct cell_cost cost = cell_cost(session, cell);
    return cost.once_s + PARTS_VISITS * cost.visit_s + kept / PARTS_KEPT_SHARE * cost.sample_s;
}

int parts_of(const struct session *session, const struct cells *cells, unsigned kept, struct parts *parts)
{
    *parts = (struct parts){.part = calloc(cells->count + 1, sizeof *parts->part)};
    if (!parts->part)
        return -ENOMEM;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!i || !belongs(&cells->cell[i - 1], cell))
            parts->part[parts->count++] = (struct part){i, i, {.value = cell->value, .rank = cell->kind->rank}};
        struct part *part = &parts->part[parts->count - 1];
        part->end = i + 1;
        part->item.cost_s += cost_of(session, cell, kept);
    }
    return 0;
}

void parts_release(struct parts *parts)
{
    free(parts->part);
    *parts = (struct parts){0};
}

/** What all parts of the least value take. */
static double cost_of_first(const struct planner_item *items, const size_t *order, size_t count)
{
    double sum_s = 0;
    for (size_t i = 0; i < count && items[order[i]].value == items[order[0]].value; i++)
        sum_s += items[order[i]].cost_s;
    return sum_s;
}

int parts_choose(const struct parts *parts, struct cells *cells, double budget_s, double *cost_s)
{
    struct planner_item *items = calloc(parts->count + 1, sizeof *items);
    size_t *order = calloc(parts->count + 1, sizeof *order), chosen = 0;
    int error = items && order ? 0 : -ENOMEM;
    for (size_t i = 0; !error && i < parts->count; i++)
        items[i] = parts->part[i].item;
    if (!error) {
        chosen = planner_choose(items, parts->count, budget_s * (1 - PLANNER_RESERVE), order, cost_s);
        double least_s = cost_of_first(items, order, parts->count);
        if (chosen < parts->count && *cost_s < least_s) {
            *cost_s = least_s / (1 - PLANNER_RESERVE);
            error = -ERANGE;
        }
    }
    for (size_t i = 0; !error && i < parts->count; i++) {
        const struct part *part = &parts->part[order[i]];
        for (size_t c = part->first; c < part->end; c++)
            cells->cell[c].left_out = i >= chosen;
    }
    free(items);
    free(order);
    return error;
}
