/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/compare/live.h"
#include "harness/compare/machine_floor.h"
#include "results/comparison/comparison.h"

/**
 * One live comparison: both subjects measured in pairs, the pairs compared, cells that are undecided measured further
 * (results/gate/looks.h), and those whose loss is suspected measured and compared once more, afresh, in the same way.
 *
 * If it is stopped, the pairs so far are compared, and losses that nothing confirmed remain suspected.
 *
 * Errors: 0 or negative errno with one line in why; -EILSEQ and -EINTR as of live_measure.
 */
struct live_comparison_request {
    struct live *live;
    const struct machine_floor *floor;
    unsigned blocks; /* pairs of the first look */
    bool once;       /* that is the only look */
    double budget_s; /* two thirds for the cells, the rest for the suspects; a first look takes what it takes. 0: none */
    uint64_t seed;   /* of the resampling */
};

struct live_comparison {
    struct live_result result; /* of the first measurement */
    struct comparison comparison;
    size_t confirming_pairs; /* 0: there was no suspect to be measured again */
    double seconds;
};

/** Release with live_comparison_release; of an error nothing is left to release. */
int live_comparison_make(const struct live_comparison_request *request, struct live_comparison *live, char *why,
                         size_t size);
void live_comparison_release(struct live_comparison *live);

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
