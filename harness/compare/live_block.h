/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/compare/subject.h"

/**
 * One block of a live comparison: the work of a fresh process, which loads its subject, measures the cells that are
 * asked for and writes their records. With block 0 it measures nothing and lists what the subject offers.
 */
enum { LIVE_BLOCK_ROOFS = 2, LIVE_BLOCK_SAMPLES = 96, LIVE_BLOCK_LAP_SAMPLES = 768 };

struct live_block {
    const char *subject; /* as given */
    unsigned block;      /* from 1; 0: only records of type "offer" */
    struct subject_wants wants;
    unsigned samples;        /* of each cell, pairs of a gamma */
    const char *const *only; /* labels of the cells to measure; none: all */
    size_t only_count;
    /** Read streams beside cold cells, "<threads>:<label>" (session_stream_label). */
    const char *roofs[LIVE_BLOCK_ROOFS];
    size_t roof_count;
    uint64_t pool_bytes; /* that a pool must have to be cold, as who starts the blocks has found; 0: not known */
};

/**
 * Records go to the stream: "offer" {"name", "label", "class", "threads", "cold"} for each cell, or cells, samples,
 * summaries and the memory that they lay in. Kernels and sequences of a plug-in that are withheld, since they failed their check or
 * misbehaved while they were measured, have a record (withheld_record()) at the end, and so have the lines that code of
 * others printed: "said" {"name", "text"}.
 * @return 0; -EILSEQ wrong result; errors of subject_kind.plan and of measuring, with one line in why
 */
int live_block_run(struct session *session, const struct live_block *job, FILE *stream, char *why, size_t size);
