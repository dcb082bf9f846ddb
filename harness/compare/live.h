/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/compare/live_withheld.h"
#include "harness/measure/session.h"
#include "results/blocks/blocks.h"
#include "results/records/run.h"

/**
 * Two subjects measured now, in pairs of fresh processes: base and head side by side, which of them first drawn at
 * random and as often one as the other. Around each pair the roofs are measured (harness/compare/live_roofs.h); a pair
 * around which one moved stays, since it moved as likely for one side as for the other.
 *
 * A kernel or sequence of a plug-in that fails its check or misbehaves while it is measured is withheld: not measured any more, on
 * neither side.
 *
 * Errors: 0 or negative errno with one line in why. -EILSEQ: a subject computed a wrong result, crashed or hung,
 * and nothing is left to compare. -EINTR: it was stopped before there were LIVE_BLOCKS_LEAST pairs.
 */
enum {
    LIVE_BLOCKS = 9,
    LIVE_BLOCKS_QUICK = 7,
    LIVE_BLOCKS_CONFIRM = 21,
    LIVE_BLOCKS_LEAST = 5,
    LIVE_BLOCKS_MOST = 101
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
    const volatile int *stop; /* set by a signal handler; NULL: never */
};

/** What was measured. */
struct live_result {
    struct blocks base, head;   /* cells by their labels */
    struct run_records runs[2]; /* every record of both sides, by the cells' own names */
    size_t pairs;
    size_t moved[COMPARE_CLASSES];  /* pairs around which the roof of a class moved by more than the threshold */
    struct live_measured *measured; /* so that more can be added */
};

struct live;

/**
 * Ask both subjects what they offer, find the roofs, and measure what a change of layout alone does, whose records both
 * runs begin with. -ENOENT, -ENOTSUP, -EINVAL for an invalid subject.
 */
int live_open(struct session *session, const struct live_request *request, struct live **live, char *why, size_t size);
void live_close(struct live *live);

/** Whether it was asked to stop: no more pairs are measured. */
bool live_stopped(const struct live *live);

/** Cells that only one of two kernels offers, which are left out; of plug-ins they stay, and make them incomparable. */
size_t live_left_out(const struct live *live);

/**
 * Measure this many pairs of all cells, or of those of these labels, and add them to the result: zeroed, or of an earlier
 * call. On an error the result is released.
 * @param until_s  clock_monotonic_s() after which no pair is begun beyond LIVE_BLOCKS_LEAST; 0: never
 */
int live_measure(struct live *live, unsigned pairs, const char *const *only, size_t only_count, double until_s,
                 struct live_result *result, char *why, size_t size);
void live_result_release(struct live_result *result);

/** What of the two failed its check, or misbehaved since, so that it is measured on neither side; the rest is. */
struct live_withheld *live_faults(struct live *live);

/** Whether a cell, by its label, is of none of these. */
bool live_wants(const void *live, const char *label);

/** How many cells are measured at first. */
size_t live_cells(const struct live *live);

/** A label as the live comparison keeps it, for as long as it is open; NULL: it has none. */
const char *live_label(const struct live *live, const char *label);

/** The own name of a cell of a side (0 base, 1 head) by its label, NULL if it has none. */
const char *live_cell_name(const struct live *live, int side, const char *label);

/**
 * Which pairs begin with base: half of them, of an odd number one more or less, in random order. Pure.
 * @param random  state of the generator, advanced
 */
void live_orders(size_t pairs, struct resample_random *random, bool *base_first);
