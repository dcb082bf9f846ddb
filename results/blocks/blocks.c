/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/blocks/blocks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"
#include "results/statistics/stats.h"

static const double NEIGHBOUR_SHARE_QUIET = 0.02, STEAL_SHARE_QUIET = 0.001;

/** Blocks from which a scatter means anything. */
enum { SPREAD_LEAST = 3 };

enum compare_class blocks_class(const char *type, const char *protocol, const char *level)
{
    if (strcmp(type, "gamma") == 0 || strcmp(type, "prepare") == 0 || strcmp(type, "dequantize") == 0)
        return COMPARE_CORE;
    bool private_cache = level && (strcmp(level, "L1") == 0 || strcmp(level, "L2") == 0);
    bool cold = protocol && strcmp(protocol, "cold") == 0;
    return private_cache && !cold && strcmp(type, "sync") != 0 ? COMPARE_CORE : COMPARE_MEMORY;
}

static void release_cell(struct blocks_cell *cell)
{
    free(cell->name);
    free(cell->model.gamma);
    free(cell->value);
    free(cell->roof_s);
    free(cell->block);
}

const char *blocks_replicate(const struct blocks *blocks)
{
    return blocks->source[0] ? "sample" : blocks->processes ? "process" : "visit";
}

void blocks_release(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->cells; i++)
        release_cell(&blocks->cell[i]);
    free(blocks->cell);
    free(blocks->number);
    json_decref(blocks->meta);
    *blocks = (struct blocks){0};
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct blocks_cell *)left)->name, ((const struct blocks_cell *)right)->name);
}

void blocks_sort(struct blocks *blocks)
{
    qsort(blocks->cell, blocks->cells, sizeof *blocks->cell, by_name);
}

void blocks_rename(struct blocks *blocks, char *(*rename)(void *context, const char *name), void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < blocks->cells; i++) {
        char *name = rename(context, blocks->cell[i].name);
        if (!name) {
            release_cell(&blocks->cell[i]);
            continue;
        }
        free(blocks->cell[i].name);
        blocks->cell[i].name = name;
        char *gamma = blocks->cell[i].model.gamma ? rename(context, blocks->cell[i].model.gamma) : NULL;
        free(blocks->cell[i].model.gamma);
        blocks->cell[i].model.gamma = gamma;
        blocks->cell[kept++] = blocks->cell[i];
    }
    blocks->cells = kept;
    blocks_sort(blocks);
}

static bool is_among(unsigned number, const unsigned *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] == number)
            return true;
    }
    return false;
}

void blocks_drop(struct blocks *blocks, enum compare_class class, const unsigned *numbers, size_t count)
{
    for (size_t c = 0; c < blocks->cells; c++) {
        struct blocks_cell *cell = &blocks->cell[c];
        size_t kept = 0;
        for (size_t i = 0; cell->class == class && i < cell->count; i++) {
            if (is_among(blocks->number[cell->block[i]], numbers, count))
                continue;
            cell->value[kept] = cell->value[i];
            cell->roof_s[kept] = cell->roof_s[i];
            cell->block[kept++] = cell->block[i];
        }
        if (cell->class == class)
            cell->count = kept;
    }
}

const struct blocks_cell *blocks_find(const struct blocks *blocks, const char *name)
{
    size_t low = 0, high = blocks->cells;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, blocks->cell[middle].name);
        if (order == 0)
            return &blocks->cell[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/** Values come back from a baseline's file with fewer digits. */
static bool same_values(const struct blocks_cell *one, const struct blocks_cell *other)
{
    bool same = strcmp(one->name, other->name) == 0 && one->count == other->count;
    for (size_t i = 0; same && i < one->count; i++)
        same = fabs(one->value[i] / other->value[i] - 1) < 1e-8;
    return same;
}

bool blocks_are_same(const struct blocks *one, const struct blocks *other)
{
    bool same = one->cells && one->cells == other->cells;
    for (size_t i = 0; same && i < one->cells; i++)
        same = same_values(&one->cell[i], &other->cell[i]);
    return same;
}

double blocks_spread_of(const double *value, size_t count)
{
    double *logarithm = need(count + 1, sizeof *logarithm);
    if (!logarithm)
        return NAN;
    struct summary summary = {.mad = NAN};
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (value[i] > 0)
            logarithm[known++] = log(value[i]);
    }
    if (known >= SPREAD_LEAST)
        stats_summarize(logarithm, known, &summary);
    free(logarithm);
    return 1.4826 * summary.mad;
}

/** Spreads, of which the median is asked for. */
struct spreads {
    double *spread;
    size_t count;
};

static void add_spread(struct spreads *all, const double *value, size_t count)
{
    double spread = blocks_spread_of(value, count);
    if (isfinite(spread))
        all->spread[all->count++] = spread;
}

void blocks_spread(struct blocks *blocks)
{
    double *room = need(2 * (2 * blocks->cells + 1), sizeof *room);
    for (int class = 0; class < COMPARE_CLASSES; class ++) {
        struct spreads judged = {.spread = room}, controls = {.spread = room ? room + 2 * blocks->cells + 1 : NULL};
        for (size_t i = 0; room && i < blocks->cells; i++) {
            const struct blocks_cell *cell = &blocks->cell[i];
            if ((int)cell->class == class)
                add_spread(cell->control ? &controls : &judged, cell->value, cell->count);
            if (class == COMPARE_MEMORY) /* only what reads memory has a roof beside it */
                add_spread(&controls, cell->roof_s, cell->count);
        }
        blocks->noise.spread[class] = room ? stats_median(judged.spread, judged.count) : NAN;
        blocks->noise.control_spread[class] = room ? stats_median(controls.spread, controls.count) : NAN;
    }
    free(room);
}

/* ---- a host that others share ---- */

__attribute__((format(printf, 3, 4))) static void share(struct blocks_sharing *sharing, enum compare_class class,
                                                        const char *format, ...)
{
    sharing->shared[class] = true;
    if (sharing->why[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sharing->why, sizeof sharing->why, format, arguments);
    va_end(arguments);
}

static void add_sharing_of(const struct blocks_noise *noise, enum blocks_side side, enum compare_class class,
                           bool any_control, struct blocks_sharing *sharing)
{
    const char *name = compare_class_name(class), *run = side == BLOCKS_BASE ? "BASE" : "HEAD";
    double scatter = 0.5 * compare_threshold(class, false);
    if (noise->steal_share > STEAL_SHARE_QUIET)
        share(sharing, class, "the hypervisor took %.2f%% of the CPU time of %s", 100 * noise->steal_share, run);
    if (noise->control_spread[class] > scatter)
        share(sharing, class, "the %s controls of %s scatter by %.2f%%", name, run, 100 * noise->control_spread[class]);
    if (isfinite(noise->control_spread[class]) || side == BLOCKS_HEAD)
        return;
    if (noise->neighbour_share > NEIGHBOUR_SHARE_QUIET && !any_control)
        share(sharing, class, "%.1f%% of the samples of BASE saw a neighbour on the core or a change of the clock",
              100 * noise->neighbour_share);
    if (noise->spread[class] > scatter)
        share(sharing, class, "the blocks of %s cells of BASE scatter by %.2f%%", name, 100 * noise->spread[class]);
}

void blocks_add_sharing(const struct blocks_noise *noise, enum blocks_side side, struct blocks_sharing *sharing)
{
    bool any_control = false;
    for (int class = 0; class < COMPARE_CLASSES; class ++)
        any_control = any_control || isfinite(noise->control_spread[class]);
    for (int class = 0; class < COMPARE_CLASSES; class ++)
        add_sharing_of(noise, side, (enum compare_class) class, any_control, sharing);
}

bool blocks_is_shared(const struct blocks_sharing *sharing)
{
    bool any = false;
    for (int class = 0; class < COMPARE_CLASSES; class ++)
        any = any || sharing->shared[class];
    return any;
}
