/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/cmd/console/options.h"
#include "harness/cmd/console/table.h"
#include "harness/compare/live_comparison.h"
#include "harness/plugin/name_filter.h"
#include "reports/verdict/verdict.h"

struct progress;

/**
 * What `kneepoint compare` does once its options are known: stored runs, live pairs, A/A floors. These print and
 * complain for the command; what they compute is in harness/compare. All return its exit code.
 */
enum {
    COMPARE_LIST_MOST = 512,
    COMPARE_ALLOW_UNCONFIRMED = COMPARABLE_FACTS,
    COMPARE_ALLOW_SAME_BASE /* beside the facts that may differ */
};

struct compare_options {
    struct measuring_options measuring;
    const char *given[2]; /* BASE and HEAD */
    int count;            /* of them */
    bool live, keep, cold, warm;
    unsigned blocks;       /* pairs of the first look; 0: the default */
    unsigned budget_s;     /* of a live comparison */
    unsigned noise_floor;  /* A/A comparisons; 0: none */
    unsigned accumulators; /* 0: as many as there are */
    unsigned allowed;      /* bits 1 << comparable_fact, and COMPARE_ALLOW_… */
    const char *patterns[COMPARE_LIST_MOST], *shapes[COMPARE_LIST_MOST], *model;
    size_t pattern_count, shape_count;
    struct name_filter filter; /* of stored runs: which cells */
    const char *confirm_run, *confirm_base, *results, *output;
    enum verdict_format format;
    struct table_view view;
};

/** Judge recorded runs, baselines or folders of them, with the confirming run if there is one. */
int compare_stored_runs(struct compare_options *options);

/** Whether a cell is of what a struct name_filter, the context, has; everything is of an empty one. */
bool compare_wants(const void *context, const char *cell);

/** Measure BASE and HEAD in turns in this session, which has no team yet, and judge the pairs. */
int compare_live_pairs(const struct compare_options *options, struct session *session);

/** A/A comparisons of an opened pair, of which the floors are kept in `floor`. */
int compare_noise_floor(const struct compare_options *options, const struct live_comparison_request *request,
                        struct progress *progress, struct machine_floor *floor);

/** What of a build misbehaved, each in a line, unless it was said before. */
void compare_say_faults(struct live *live);

/** One live comparison, measured; the progress line is taken away. Unless EXIT_DONE, there is nothing to release. */
int compare_measured(const struct live_comparison_request *request, struct progress *progress,
                     struct live_comparison *live);

extern const struct table compare_table;

/** The report for people, its lines fitted to the width. @return 0, -ENOMEM or -EIO */
int compare_write_text(const struct compare_report *report, const struct table_style *style, FILE *stream);

/** Write the report in every form that was asked for; what cannot be compared has no table for people. */
int compare_print(const struct compare_report *report, const struct compare_options *options);
