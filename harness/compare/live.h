/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_LIVE_H
#define HARNESS_COMPARE_LIVE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/measure/session.h"
#include "results/blocks.h"
#include "results/run.h"

/**
 * Two subjects measured now, in pairs of fresh processes: base and head side by side, which of them first drawn at
 * random and as often one as the other. Around each pair the roofs are measured (harness/compare/live_roofs.h).
 *
 * Errors: 0 or negative errno with one line in why. -EILSEQ: a subject computed a wrong result, crashed or hung.
 */
enum {
    LIVE_BLOCKS = 11,
    LIVE_BLOCKS_QUICK = 7,
    LIVE_BLOCKS_CONFIRM = 21,
    LIVE_BLOCKS_LEAST = 5,
    LIVE_BLOCKS_MOST = 101,
    LIVE_PAIRS_MOST = 3 /* times as many pairs as asked for, where roofs move */
};

struct live_request {
    const char *given[2];         /* BASE and HEAD */
    const char *program;          /* this program, to be executed as `program compare --block=N SUBJECT arguments…` */
    const char *const *arguments; /* shapes, teams, samples, NULL-terminated; NULL: none */
    const char *const *patterns;  /* shell patterns of the labels to compare; none: all */
    size_t pattern_count;
    double block_limit_s; /* after which a block counts as hung */
    uint64_t seed;
    const json_t *meta; /* provenance of both sides */
    /** Called before each pair. */
    void (*progress)(void *context, double fraction, double remaining_s, const char *now);
    void *context;
};

/** What was measured. */
struct live_result {
    struct blocks base, head;   /* cells by their labels, pairs whose roof moved left out */
    struct run_records runs[2]; /* every record of both sides, by the cells' own names */
    size_t pairs;
    size_t moved[COMPARE_CLASSES];
};

struct live;

/** Ask both subjects what they offer, and find the roofs. -ENOENT, -ENOTSUP, -EINVAL for an invalid subject. */
int live_open(struct session *session, const struct live_request *request, struct live **live, char *why, size_t size);
void live_close(struct live *live);

/** Cells that only one of two kernels offers, which are left out; of plug-ins they stay, and make them incomparable. */
size_t live_left_out(const struct live *live);

/**
 * Measure all cells, or those of these labels; may be called again, and draws everything afresh.
 * @param pairs  to keep of each class, if roofs do not move around too many
 */
int live_measure(struct live *live, unsigned pairs, const char *const *only, size_t only_count,
                 struct live_result *result, char *why, size_t size);
void live_result_release(struct live_result *result);

/** The own name of a cell of a side (0 base, 1 head) by its label, NULL if it has none. */
const char *live_cell_name(const struct live *live, int side, const char *label);

/**
 * Which pairs begin with base: half of them, of an odd number one more or less, in random order. Pure.
 * @param random  state of the generator, advanced
 */
void live_orders(size_t pairs, struct resample_random *random, bool *base_first);

#endif
