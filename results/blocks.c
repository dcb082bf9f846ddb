/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/blocks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/stats.h"

static const double NEIGHBOUR_SHARE_QUIET = 0.02, STEAL_SHARE_QUIET = 0.001;

/** Blocks from which a scatter means anything. */
enum { SPREAD_LEAST = 3 };

enum compare_class blocks_class(const char *type, const char *protocol, const char *level)
{
    if (strcmp(type, "gamma") == 0 || strcmp(type, "prepare") == 0)
        return COMPARE_CORE;
    bool private_cache = level && (strcmp(level, "L1") == 0 || strcmp(level, "L2") == 0);
    bool cold = protocol && strcmp(protocol, "cold") == 0;
    return private_cache && !cold && strcmp(type, "sync") != 0 ? COMPARE_CORE : COMPARE_MEMORY;
}

static void release_cell(struct blocks_cell *cell)
{
    free(cell->name);
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

static double spread_of(const struct blocks_cell *cell)
{
    double *logarithm = calloc(cell->count, sizeof *logarithm);
    if (!logarithm)
        return NAN;
    struct summary summary = {.mad = NAN};
    for (size_t i = 0; i < cell->count; i++)
        logarithm[i] = log(cell->value[i]);
    stats_summarize(logarithm, cell->count, &summary);
    free(logarithm);
    return 1.4826 * summary.mad;
}

void blocks_spread(struct blocks *blocks)
{
    double *spread = calloc(blocks->cells + 1, sizeof *spread);
    for (int class = 0; class < COMPARE_CLASSES; class ++) {
        size_t count = 0;
        for (size_t i = 0; spread && i < blocks->cells; i++) {
            const struct blocks_cell *cell = &blocks->cell[i];
            if ((int)cell->class == class && !cell->control && cell->count >= SPREAD_LEAST)
                spread[count++] = spread_of(cell);
        }
        blocks->noise.spread[class] = spread ? stats_median(spread, count) : NAN;
    }
    free(spread);
}

bool blocks_shared(const struct blocks_noise *noise, char *why, size_t size)
{
    why[0] = 0;
    if (noise->neighbour_share > NEIGHBOUR_SHARE_QUIET)
        snprintf(why, size, "%.1f%% of the samples met a neighbour on the core or a clock that moved",
                 100 * noise->neighbour_share);
    else if (noise->steal_share > STEAL_SHARE_QUIET)
        snprintf(why, size, "the hypervisor took %.2f%% of the CPU time", 100 * noise->steal_share);
    for (int class = 0; class < COMPARE_CLASSES && !why[0]; class ++) {
        if (noise->spread[class] > 0.5 * compare_threshold((enum compare_class) class, false))
            snprintf(why, size, "the blocks of %s cells scatter by %.2f%%",
                     compare_class_name((enum compare_class) class), 100 * noise->spread[class]);
    }
    return why[0] != 0;
}
