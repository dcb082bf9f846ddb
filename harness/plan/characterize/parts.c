/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/parts.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "results/statistics/stats.h"

static bool belongs(const struct cell *one, const struct cell *next)
{
    return next->kind == one->kind && next->value == one->value && one->kind->inseparable &&
           one->kind->inseparable(one, next);
}

double parts_cell_cost_s(const struct session *session, const struct cell *cell, const struct purpose *purpose)
{
    struct cell_cost cost = cell_cost(session, cell);
    return cost.once_s + PARTS_VISITS * cost.visit_s + parts_wanted(cell, purpose) / PARTS_KEPT_SHARE * cost.sample_s;
}

unsigned parts_wanted(const struct cell *cell, const struct purpose *purpose)
{
    if (cell->kind->refine)
        return STATS_KEPT_LEAST;
    return purpose->kept_of ? purpose->kept_of(cell) : purpose->kept;
}

struct room_estimate parts_cell_bytes(const struct session *session, const struct cell *cell,
                                      const struct purpose *purpose)
{
    enum { SUMMARY = 500, CELL = 160, VISIT = 200, SAMPLE = 17, LOOKED_AT = 750 };
    bool pairs = cell->kind->halves || cell->beside_roof;
    double summary = cell_cost(session, cell).bytes;
    if (cell_kept(cell) == SIZE_MAX)
        return (struct room_estimate){CELL + LOOKED_AT, 0};
    if (!(summary > 0))
        summary = SUMMARY;
    double samples = 1.4 * parts_wanted(cell, purpose) * (pairs ? 2 : 1) * SAMPLE;
    return (struct room_estimate){summary + CELL + PARTS_VISITS * VISIT + samples, summary};
}

/** The part that begins its set: of the same kind, value and kernel, if its cells are of use together; else itself. */
static size_t set_of(const struct parts *parts, const struct cells *cells, size_t number)
{
    const struct cell *cell = &cells->cell[parts->part[number].first];
    if (!cell->kind->of_use_together || !cell->kind->of_use_together(cell))
        return number;
    for (size_t p = number; p-- > 0;) {
        const struct cell *other = &cells->cell[parts->part[p].first];
        if (other->kind == cell->kind && other->kernel == cell->kernel && other->value == cell->value)
            return parts->part[p].item.set;
    }
    return number;
}

static void find_sets(struct parts *parts, const struct cells *cells)
{
    for (size_t p = 0; p < parts->count; p++) {
        struct planner_item *item = &parts->part[p].item;
        item->set = set_of(parts, cells, p);
        parts->part[item->set].item.set_s += item->cost_s;
    }
    for (size_t p = 0; p < parts->count; p++)
        parts->part[p].item.set_s = parts->part[parts->part[p].item.set].item.set_s;
}

int parts_of(const struct session *session, const struct cells *cells, const struct purpose *purpose,
             struct parts *parts)
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
        part->item.cost_s += parts_cell_cost_s(session, cell, purpose);
        part->item.bytes += parts_cell_bytes(session, cell, purpose).all;
    }
    find_sets(parts, cells);
    return 0;
}

void parts_release(struct parts *parts)
{
    free(parts->part);
    *parts = (struct parts){0};
}

/**
 * The numbers of the parts in the order in which they are taken; NULL without memory. Caller frees.
 * @param chosen  out: how many of them the budget carries
 */
static size_t *order_of(const struct parts *parts, struct planner_budget budget, size_t *chosen,
                        struct planner_budget *sum)
{
    struct planner_item *items = calloc(parts->count + 1, sizeof *items);
    size_t *order = items ? calloc(parts->count + 1, sizeof *order) : NULL;
    for (size_t i = 0; order && i < parts->count; i++)
        items[i] = parts->part[i].item;
    if (order)
        *chosen = planner_choose(items, parts->count, budget, order, sum);
    free(items);
    return order;
}

/** What all parts of the least value take. */
static struct planner_budget sum_of_first(const struct parts *parts, const size_t *order)
{
    struct planner_budget sum = {0, 0};
    for (size_t i = 0; i < parts->count; i++) {
        const struct planner_item *item = &parts->part[order[i]].item;
        if (item->value != parts->part[order[0]].item.value)
            break;
        sum.seconds += item->cost_s;
        sum.bytes += item->bytes;
    }
    return sum;
}

int parts_choose(const struct parts *parts, struct cells *cells, struct planner_budget budget,
                 struct planner_budget *sum)
{
    size_t chosen;
    budget.seconds *= 1 - PLANNER_RESERVE;
    size_t *order = order_of(parts, budget, &chosen, sum);
    if (!order)
        return -ENOMEM;
    const struct planner_budget least = sum_of_first(parts, order);
    const bool too_small = chosen < parts->count && sum->seconds < least.seconds;
    if (too_small)
        *sum = (struct planner_budget){least.seconds / (1 - PLANNER_RESERVE), least.bytes};
    for (size_t i = 0; !too_small && i < parts->count; i++) {
        const struct part *part = &parts->part[order[i]];
        for (size_t c = part->first; c < part->end; c++)
            cells->cell[c].left_out = i >= chosen;
    }
    free(order);
    return too_small ? -ERANGE : 0;
}

/** Of what kinds there are samples, by their numbers. */
static void find_sampled(const struct cells *cells, bool sampled[PACE_KINDS])
{
    for (size_t i = 0; i < cells->count; i++)
        sampled[cell_kind_number(cells->cell[i].kind) % PACE_KINDS] |= cells->cell[i].samples.count > 0;
}

json_t *parts_least_budgets(const struct parts *parts, const struct cells *cells, double least_s)
{
    size_t all, *order = order_of(parts, (struct planner_budget){INFINITY, INFINITY}, &all, NULL);
    json_t *budgets = order ? json_object() : NULL;
    bool sampled[PACE_KINDS] = {false};
    unsigned value_of[PACE_KINDS];
    double taken_s = 0;
    memset(value_of, 0xff, sizeof value_of);
    find_sampled(cells, sampled);
    for (size_t i = 0; budgets && i < parts->count; i++) {
        const struct part *part = &parts->part[order[i]];
        const struct cell_kind *kind = cells->cell[part->first].kind;
        const unsigned number = cell_kind_number(kind) % PACE_KINDS, value = part->item.value;
        if (value >= PURPOSE_NOT_WANTED)
            break;
        taken_s += part->item.cost_s;
        value_of[number] = value < value_of[number] ? value : value_of[number];
        if (value == value_of[number] && !sampled[number])
            json_object_set_new(budgets, kind->name, json_real(fmax(least_s, ceil(taken_s / (1 - PLANNER_RESERVE)))));
    }
    free(order);
    return budgets;
}
