/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/compare/live_block.h"
#include "harness/plugin/plugin_output.h"
#include "results/gate/compare.h"
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

/** A cell that a subject offers. */
struct live_offer {
    char *name, *label;
    enum compare_class class;
    unsigned threads;
    bool cold;
};

struct live_offers {
    struct live_offer *offer;
    size_t count;
};

/**
 * Those among the records of a process that was asked what it offers, added to none.
 * @return 0 or -ENOMEM; to be released either way
 */
int live_offers_take(const json_t *records, struct live_offers *offers);
void live_offers_release(struct live_offers *offers);

/** NULL: it offers no such cell. */
const struct live_offer *live_offers_find(const struct live_offers *offers, const char *label);

/**
 * Whether the sides have something to compare: not a kernel that has only a GEMM and one that has only a GEMV, of whom gamma alone has one
 * name, but counts different work.
 * @return 0; -EINVAL with one line in why
 */
int live_offers_check(const struct live_offers sides[2], const char *const given[2], char *why, size_t size);
