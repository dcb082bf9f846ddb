/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/run/least_loss.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"

static bool is_judged(const struct blocks_cell *cell)
{
    return !cell->control && cell->count;
}

/* Whether most cells could fail against as many processes. */
static bool can_be_compared(const struct blocks *blocks, double alpha)
{
    size_t judged = 0, able = 0;
    for (size_t i = 0; i < blocks->cells; i++)
        judged += is_judged(&blocks->cell[i]);
    for (size_t i = 0; i < blocks->cells; i++) {
        size_t count = blocks->cell[i].count;
        able += is_judged(&blocks->cell[i]) && compare_most_cells(alpha, count, count, false) >= judged;
    }
    return blocks->processes && 2 * able > judged;
}

/* What the scatter of a cell alone would pass for an effect between two runs like this one, logarithm; NaN of fewer than 2 blocks. */
static double noise_of_cell(const struct blocks_cell *cell, double *logarithms, uint64_t seed)
{
    for (size_t i = 0; i < cell->count; i++)
        logarithms[i] = log(cell->value[i]);
    return resample_unpaired_floor(logarithms, cell->count, logarithms, cell->count, seed);
}

/* Median over the cells of a class that a comparison judges; NaN without any. */
static double noise_of(const struct blocks *blocks, enum compare_class class, uint64_t seed)
{
    double *floors = need(blocks->cells + 1, sizeof *floors), *logarithms = need(blocks->count + 1, sizeof *logarithms);
    size_t count = 0;
    for (size_t i = 0; floors && logarithms && i < blocks->cells; i++) {
        const struct blocks_cell *cell = &blocks->cell[i];
        if (!is_judged(cell) || cell->class != class)
            continue;
        double floor = noise_of_cell(cell, logarithms, seed);
        if (isfinite(floor))
            floors[count++] = floor;
    }
    double median = count ? stats_median(floors, count) : (double)NAN;
    free(floors);
    free(logarithms);
    return median;
}

int least_loss_of(const struct view *view, struct least_loss *least)
{
    struct blocks blocks;
    struct compare_rule rule = compare_rule_default();
    *least = (struct least_loss){.processes = 0};
    int error = view->records ? blocks_of_run(view->records, &blocks) : -ENODATA;
    if (error)
        return error;
    blocks_add_sharing(&blocks.noise, BLOCKS_BASE, &least->sharing);
    least->processes = can_be_compared(&blocks, rule.alpha) ? blocks.count : 0;
    for (int class = 0; class < COMPARE_CLASSES; class ++) {
        enum compare_class of = (enum compare_class) class;
        const double effects[] = {
            [LEAST_LOSS_THRESHOLD] = log1p(compare_threshold(of, least->sharing.shared[class])),
            [LEAST_LOSS_LAYOUT] = rule.floor_factor * blocks.layout[class],
            [LEAST_LOSS_NOISE] =
                rule.floor_factor * (least->processes ? noise_of(&blocks, of, rule.seed) : (double)NAN),
        };
        for (int by = LEAST_LOSS_LAYOUT; by <= LEAST_LOSS_NOISE; by++) {
            if (effects[by] > effects[least->by[class]])
                least->by[class] = (enum least_loss_by)by;
        }
        least->loss[class] = expm1(effects[least->by[class]]);
    }
    blocks_release(&blocks);
    return 0;
}
