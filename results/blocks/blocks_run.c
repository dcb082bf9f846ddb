/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From what the records of a run say of each cell to the values of its blocks.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/blocks/blocks.h"
#include "results/blocks/blocks_collect.h"
#include "results/files/need.h"
#include "results/statistics/stats.h"

enum { GRADED_LEAST = 3 };

/* ---- blocks ---- */

/** The blocks of a run as keys: processes, or visits of processes, ascending and each once. */
struct keys {
    uint64_t *key;
    size_t count;
    bool processes;
};

enum { VISIT_BITS = 32 };

static uint64_t key_of(const struct blocks_reading *reading, bool processes)
{
    return processes ? reading->process : reading->process << VISIT_BITS | reading->visit;
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static int find_keys(const struct blocks_collection *all, bool processes, struct keys *keys)
{
    size_t total = 0;
    for (size_t c = 0; c < all->count; c++)
        total += all->cell[c].count;
    *keys = (struct keys){.key = need(total + 1, sizeof *keys->key), .processes = processes};
    if (!keys->key)
        return -ENOMEM;
    size_t n = 0;
    for (size_t c = 0; c < all->count; c++) {
        for (size_t i = 0; i < all->cell[c].count; i++)
            keys->key[n++] = key_of(&all->cell[c].reading[i], processes);
    }
    qsort(keys->key, n, sizeof *keys->key, ascending);
    for (size_t i = 0; i < n; i++) {
        if (!keys->count || keys->key[keys->count - 1] != keys->key[i])
            keys->key[keys->count++] = keys->key[i];
    }
    return 0;
}

/** Best grade that has enough readings of the cell; BLOCKS_WALL where none has. */
static enum blocks_grade best_grade(const struct blocks_collected *cell)
{
    size_t of[BLOCKS_GRADES] = {0};
    for (size_t i = 0; i < cell->count; i++)
        of[cell->reading[i].grade]++;
    return of[BLOCKS_PMU] >= GRADED_LEAST ? BLOCKS_PMU : of[BLOCKS_CHAIN] >= GRADED_LEAST ? BLOCKS_CHAIN : BLOCKS_WALL;
}

/** What the readings of a cell are worth. */
struct worth {
    bool cycles;
    enum blocks_grade grade; /* only readings of it count, where in cycles */
    double scale;
    bool lower_quartile; /* of a block */
};

static bool counts(const struct blocks_reading *reading, const struct worth *worth)
{
    return !worth->cycles || reading->grade == worth->grade;
}

static double value_of(const struct blocks_reading *reading, const struct worth *worth)
{
    return worth->scale * (worth->cycles ? reading->cycles : reading->seconds);
}

/** Median core clock of the readings that know one. */
static double clock_of(const struct blocks_collected *cell, double *scratch)
{
    size_t used = 0;
    for (size_t i = 0; i < cell->count; i++) {
        double clock_hz = cell->reading[i].cycles / cell->reading[i].seconds;
        if (!cell->gamma && cell->reading[i].grade != BLOCKS_WALL && isfinite(clock_hz))
            scratch[used++] = clock_hz;
    }
    return used ? stats_median(scratch, used) : 0;
}

/** The value, the seconds or the roof of readings [first, end) that have one. @return how many */
enum field { VALUE, SECONDS, ROOF };
static size_t take_field(const struct blocks_collected *cell, size_t first, size_t end, const struct worth *worth,
                         enum field field, double *scratch)
{
    size_t used = 0;
    for (size_t i = first; i < end; i++) {
        const struct blocks_reading *reading = &cell->reading[i];
        double value = field == VALUE     ? value_of(reading, worth)
                       : field == SECONDS ? reading->seconds
                                          : reading->roof_s;
        if (counts(reading, worth) && isfinite(value))
            scratch[used++] = value;
    }
    return used;
}

static double median_of(const struct blocks_collected *cell, size_t first, size_t end, const struct worth *worth,
                        enum field field, double *scratch, size_t *used)
{
    *used = take_field(cell, first, end, worth, field, scratch);
    return stats_median(scratch, *used);
}

static double block_of(const struct blocks_collected *cell, size_t first, size_t end, const struct worth *worth,
                       enum field field, double *scratch, size_t *used)
{
    *used = take_field(cell, first, end, worth, field, scratch);
    return worth->lower_quartile ? stats_lower_quartile(scratch, *used) : stats_median(scratch, *used);
}

static int by_key(const void *left, const void *right)
{
    const struct blocks_reading *a = left, *b = right;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    return (a->visit > b->visit) - (a->visit < b->visit);
}

static unsigned position(const struct keys *keys, uint64_t key)
{
    const uint64_t *found = bsearch(&key, keys->key, keys->count, sizeof key, ascending);
    return (unsigned)(found - keys->key);
}

/**
 * Runs from before the field "vectors" have readings in cycles of an iteration. Their own summary says how many vectors
 * that is: a whole number of quarters, whichever samples the summary is of.
 */
static double gamma_scale(const struct blocks_collected *cell, struct worth worth, double *scratch)
{
    size_t used;
    double iteration = median_of(cell, 0, cell->count, &worth, VALUE, scratch, &used);
    double vectors = iteration / cell->gamma_cycles, quarters = round(4 * vectors);
    if (cell->vectors > 0 || !used || !(vectors > 0))
        return 1;
    return quarters >= 1 && fabs(4 * vectors / quarters - 1) < 0.05 ? 4 / quarters : 1 / vectors;
}

/**
 * A roof is called by its level and team, "roof/memory/t2": the stream that reads fastest differs from run to run. So
 * does the best number of accumulators of a sequence, whose gamma is "gamma/<sequence>".
 */
static char *name_of(const struct blocks_collected *cell)
{
    const char *last = strrchr(cell->name, '/');
    char *name = NULL;
    if (cell->gamma && cell->best)
        return strndup(cell->name, (size_t)(last - cell->name));
    if (strncmp(cell->name, "beta/", strlen("beta/")) != 0)
        return strdup(cell->name);
    int length = (int)(last - cell->name) - 5;
    return asprintf(&name, "roof/%.*s", length > 0 ? length : 0, cell->name + 5) < 0 ? NULL : name;
}

static int reduce_cell(struct blocks_collected *from, const struct keys *keys, bool lower_quartiles, double *scratch,
                       struct blocks_cell *cell)
{
    if (from->count)
        qsort(from->reading, from->count, sizeof *from->reading, by_key);
    struct worth worth = {.cycles = from->class == COMPARE_CORE,
                          .grade = best_grade(from),
                          .scale = 1 / from->divisor,
                          /* others only add to a time; of a gamma, the difference of two, they take away as well */
                          .lower_quartile = lower_quartiles && !from->gamma};
    if (from->gamma)
        worth.scale = gamma_scale(from, worth, scratch);
    *cell = (struct blocks_cell){
        .name = name_of(from),
        .class = from->class,
        .control = from->control,
        .cycles = worth.cycles,
        .value = need(keys->count + 1, sizeof(double)),
        .roof_s = need(keys->count + 1, sizeof(double)),
        .block = need(keys->count + 1, sizeof(unsigned)),
        .rejected = from->rejected,
        .model = from->model,
    };
    from->model.gamma = NULL; /* it is the cell's now */
    cell->model.core_hz = clock_of(from, scratch);
    if (!cell->name || !cell->value || !cell->roof_s || !cell->block)
        return -ENOMEM;
    if (worth.cycles && worth.grade == BLOCKS_WALL)
        return 0; /* no clock agreed: there are no cycles to compare */
    cell->timed_s = median_of(from, 0, from->count, &worth, SECONDS, scratch, &cell->kept);
    for (size_t first = 0, end; first < from->count; first = end) {
        uint64_t key = key_of(&from->reading[first], keys->processes);
        for (end = first; end < from->count && key_of(&from->reading[end], keys->processes) == key;)
            end++;
        size_t used, roofs;
        double value = block_of(from, first, end, &worth, VALUE, scratch, &used);
        if (used < BLOCKS_LEAST_SAMPLES)
            continue;
        cell->value[cell->count] = value;
        cell->roof_s[cell->count] = block_of(from, first, end, &worth, ROOF, scratch, &roofs);
        cell->block[cell->count++] = position(keys, key);
    }
    return 0;
}

static size_t most_readings(const struct blocks_collection *all)
{
    size_t most = 0;
    for (size_t c = 0; c < all->count; c++)
        most = all->cell[c].count > most ? all->cell[c].count : most;
    return most;
}

/** Streams that are no roof are left out, and numbers of accumulators that are not the best of their sequence. */
static bool belongs(const struct blocks_collected *cell)
{
    if (!cell->count && !cell->rejected)
        return false;
    if (cell->gamma)
        return !cell->summarized || cell->best;
    return isfinite(cell->divisor) && !(strncmp(cell->name, "beta/", strlen("beta/")) == 0 && cell->divisor == 1);
}

static int number_blocks(const struct keys *keys, struct blocks *blocks)
{
    blocks->number = need(keys->count + 1, sizeof *blocks->number);
    if (!blocks->number)
        return -ENOMEM;
    blocks->count = keys->count;
    for (size_t i = 0; i < keys->count; i++)
        blocks->number[i] = keys->processes ? (unsigned)keys->key[i] : (unsigned)i;
    return 0;
}

static int reduce(struct blocks_collection *all, bool lower_quartiles, struct blocks *blocks)
{
    struct keys keys;
    int error = find_keys(all, true, &keys);
    if (!error && keys.count < BLOCKS_LEAST_PROCESSES) {
        free(keys.key);
        error = find_keys(all, false, &keys);
    }
    double *scratch = need(most_readings(all) + 1, sizeof *scratch);
    blocks->cell = need(all->count + 1, sizeof *blocks->cell);
    if (!error && (!scratch || !blocks->cell))
        error = -ENOMEM;
    enum blocks_grade worst = BLOCKS_GRADES;
    for (size_t c = 0; !error && c < all->count; c++) {
        struct blocks_collected *from = &all->cell[c];
        if (!belongs(from))
            continue;
        error = reduce_cell(from, &keys, lower_quartiles, scratch, &blocks->cell[blocks->cells++]);
        if (from->class == COMPARE_CORE && blocks->cell[blocks->cells - 1].count && best_grade(from) < worst)
            worst = best_grade(from);
    }
    if (!error) {
        blocks_sort(blocks);
        snprintf(blocks->clock, sizeof blocks->clock, "%s",
                 worst == BLOCKS_PMU     ? "pmu"
                 : worst == BLOCKS_CHAIN ? "chain"
                                         : "");
        blocks->processes = keys.processes;
        error = number_blocks(&keys, blocks);
    }
    free(scratch);
    free(keys.key);
    return error;
}

static int make(const struct run_records *records, bool lower_quartiles, struct blocks *blocks)
{
    struct blocks_collection all;
    *blocks = (struct blocks){
        .meta = json_deep_copy(records->meta), .noise = {NAN, NAN, {NAN, NAN}, {NAN, NAN}}, .layout = {NAN, NAN}};
    int error = blocks_collect(records, &all);
    if (!blocks->meta)
        error = -ENOMEM;
    if (!error)
        error = reduce(&all, lower_quartiles, blocks);
    if (!error) {
        blocks->noise.neighbour_share = (double)all.met_neighbour / (double)all.samples;
        blocks_take_facts(records, blocks);
        blocks_spread(blocks);
    }
    blocks_collection_release(&all);
    if (error)
        blocks_release(blocks);
    return error;
}

int blocks_of_run(const struct run_records *records, struct blocks *blocks)
{
    return make(records, false, blocks);
}

int blocks_of_live_run(const struct run_records *records, struct blocks *blocks)
{
    return make(records, true, blocks);
}
