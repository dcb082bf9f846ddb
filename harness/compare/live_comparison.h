/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_LIVE_COMPARISON_H
#define HARNESS_COMPARE_LIVE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/compare/live.h"
#include "harness/compare/machine_floor.h"
#include "results/comparison.h"

/**
 * One live comparison: both subjects measured in pairs, the pairs compared, and the cells whose loss is suspected
 * measured and compared once more.
 *
 * Errors: 0 or negative errno with one line in why; -EILSEQ as of live_measure.
 */
struct live_comparison_request {
    struct live *live;
    const struct machine_floor *floor;
    unsigned blocks; /* pairs */
    uint64_t seed;   /* of the resampling */
};

struct live_comparison {
    struct live_result result; /* of the first measurement */
    struct comparison comparison;
    bool confirmed; /* there were suspects, which were measured again */
};

/** Release with live_comparison_release; of an error nothing is left to release. */
int live_comparison_make(const struct live_comparison_request *request, struct live_comparison *live, char *why,
                         size_t size);
void live_comparison_release(struct live_comparison *live);

/**
 * Pairs that confirm a loss after a comparison of so many: twice as many, at most LIVE_BLOCKS_MOST, since a true loss
 * should not be missed by the luck of one of them.
 */
unsigned live_comparison_confirming_pairs(unsigned blocks);

/**
 * Keep the records of one side (0 base, 1 head) as a run "<run_name>-base" or "-head" below the results folder.
 * @param path  the folder it is in
 */
int live_comparison_keep(const struct live_comparison *live, int side, const char *results, const char *run_name,
                         char *path, size_t path_size, char *why, size_t size);

/**
 * Provenance of both sides: meta.json with the files of plug-ins and what tells two builds apart. NULL without memory.
 */
json_t *live_comparison_meta(const struct session *session, const char *const given[2]);

#endif
