/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "results/blocks/blocks.h"
#include "results/records/samples.h"

/** What the records of a run say of each cell that can be compared, before it is reduced to blocks; for results/blocks/blocks.h. */

/** Grades in rising order, as harness/measure/sampler.h has them. */
enum blocks_grade { BLOCKS_WALL, BLOCKS_CHAIN, BLOCKS_PMU, BLOCKS_GRADES };

/** One value that a sample (of gamma a pair) gives. */
struct blocks_reading {
    uint64_t process, visit;
    enum blocks_grade grade;
    double seconds, cycles; /* of one piece of work; gamma: seconds of the pair's difference, cycles of an iteration */
    double roof_s;          /* of the roof sample before it; NaN without */
};

/** What is collected of one cell while its records are read. */
struct blocks_collected {
    const char *name;
    bool gamma, control;
    enum compare_class class;
    double iterations, vectors, repeats; /* vectors of an iteration; 0: not recorded */
    double divisor;                      /* of the time of a roof: bytes; else 1 */
    struct blocks_reading half;          /* first of a pair, the sample of this cell just before */
    bool has_half, half_kept;
    struct blocks_model model;
    double gamma_cycles; /* as the run summarized it; NaN unknown */
    bool summarized,
        best; /* gamma: whether it is that of its sequence's best number of accumulators is known, and so */
    struct blocks_reading *reading;
    size_t count, capacity, rejected;
};

struct blocks_collection {
    struct blocks_collected *cell;
    size_t count, capacity;
    json_t *index;                 /* name to position */
    json_t *left_out;              /* names of cells that no comparison takes */
    struct recorded_samples visit; /* being read */
    size_t samples, met_neighbour;
    bool failed;
};

/**
 * Read all records of a run; release what was collected whatever is returned. Names live as long as the records.
 * @return 0; -ENODATA no sample of a cell that is compared; -ENOMEM
 */
int blocks_collect(const struct run_records *records, struct blocks_collection *all);
void blocks_collection_release(struct blocks_collection *all);

/** What a run says of itself beside its cells: pages, stolen time, what a change of layout does; for results/blocks/blocks.h. */

/** Fill pages, noise.steal_share and layout, and leave out the blocks whose roof moved, once the cells are there. */
void blocks_take_facts(const struct run_records *records, struct blocks *blocks);
