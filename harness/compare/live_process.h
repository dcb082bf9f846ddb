/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_LIVE_PROCESS_H
#define HARNESS_COMPARE_LIVE_PROCESS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/compare/live_block.h"
#include "harness/plugin/plugin_output.h"
#include "results/statistics/resample.h"

/** The blocks of a live comparison as seen by the one that starts them: a fresh process each. */
struct live_process {
    const char *given[2];         /* BASE and HEAD */
    const char *program;          /* executed as `program compare --block=N … -- SUBJECT` */
    const char *const *arguments; /* NULL-terminated, or NULL */
    double limit_s;
    char *roof_arguments[LIVE_BLOCK_ROOFS]; /* "--roof=2:read.avx2.s2.r64"; NULL: no more of them */
    uint64_t pool_bytes;                    /* what is cold here (struct session); 0: not known */
    struct resample_random random;          /* every block gets a seed of its own */
};

const char *live_side_name(int side); /* "BASE" of 0, "HEAD" of 1 */

/**
 * Run a block of a side (0 base, 1 head) and append the records that it wrote.
 * @param only  labels of the cells to measure; none: all
 * @return 0; -EILSEQ it computed a wrong result, crashed, hung or wrote something else; -EINVAL it refused; or the
 * errno that kept it from starting; with one line in why that names side and subject
 */
int live_process_run(struct live_process *live, int side, unsigned block, const char *const *only, size_t only_count,
                     json_t *records, char *why, size_t size);

/** What code of others printed in a block, taken out of its records: this process says it, once. It is no part of what was measured. */
void live_process_take_said(json_t *records, struct plugin_output *said);

#endif
