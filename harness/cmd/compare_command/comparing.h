/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_COMPARE_COMMAND_COMPARING_H
#define HARNESS_CMD_COMPARE_COMMAND_COMPARING_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/cmd/console/options.h"
#include "harness/measure/session.h"
#include "reports/verdict/verdict.h"
#include "results/noise_floor.h"

struct live;
struct live_result;
struct progress;

/**
 * What `kneepoint compare` does once its options are known: stored runs, live pairs, A/A floors. Like measuring_run
 * these complain for the command, and return its exit code.
 */
enum { COMPARING_MANY = 512, COMPARING_ALLOW_UNCONFIRMED = COMPARABLE_FACTS /* beside the facts that may differ */ };

struct comparing {
    struct measuring_options measuring;
    const char *given[2]; /* BASE and HEAD */
    int count;            /* of them */
    bool live, keep, cold, warm;
    unsigned blocks;       /* pairs; 0: the default */
    unsigned noise_floor;  /* A/A comparisons; 0: none */
    unsigned accumulators; /* 0: as many as there are */
    unsigned allowed;      /* bits 1 << comparable_fact, and COMPARING_ALLOW_UNCONFIRMED */
    const char *patterns[COMPARING_MANY], *shapes[COMPARING_MANY], *model;
    size_t pattern_count, shape_count;
    const char *confirm_run, *results, *output;
    enum verdict_format format;
};

int comparing_stored(struct comparing *options);
int comparing_live(const struct comparing *options, struct session *session);

/** A live comparison that is going on. */
struct comparing_going {
    const struct comparing *options;
    struct live *live;
    struct comparing_floors *floors;
    struct progress *progress; /* its line is taken away before anything is printed */
    uint64_t seed;
};

/** A/A comparisons, of which the floors are kept. */
int comparing_floors_measure(const struct comparing_going *going);

/**
 * One live comparison with the confirmation of what it suspects.
 * @return EXIT_DONE: result and comparison are to be released; else the exit code, and there is nothing to release
 */
int comparing_once(const struct comparing_going *going, struct live_result *result, struct comparison *comparison,
                   bool *confirmed);

/** Write the verdict in every form that was asked for; what cannot be compared has no table for people. */
int comparing_show(const struct compare_report *report, const struct comparing *options);

size_t comparing_suspects(const struct comparison *comparison);
/** Names of the suspected cells into a list of the caller's. @return count */
size_t comparing_list_suspects(const struct comparison *comparison, const char **names);

/** The noise floor of a machine. */
struct comparing_floors {
    struct noise_floor floor;
    char path[4096];
    const struct live *live; /* cells go by their labels; NULL: by their own names */
};

/** Load that of the machine that a meta.json describes. */
int comparing_floors_load(const struct comparing *options, const json_t *meta, struct comparing_floors *floors);
/** comparison_request.floor of a struct comparing_floors. */
double comparing_floor_of(const void *floors, const char *cell, size_t blocks);

/** Folder of the machine that a meta.json describes. */
void comparing_platform(const json_t *meta, char *name, size_t size);

#endif
