/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "results/blocks/blocks.h"
#include "results/comparison/comparable.h"
#include "results/gate/compare.h"

/** Two sets of blocks held against each other: which cells, by which rule, with what result. Pure. */

/** Where it is known from what a change of layout alone does. */
enum comparison_layout_from {
    COMPARISON_LAYOUT_UNKNOWN,
    COMPARISON_LAYOUT_BASE,     /* BASE's run measured it */
    COMPARISON_LAYOUT_MEASURED, /* a live comparison did, before its first pair */
    COMPARISON_LAYOUT_KEPT,     /* with the noise floor of this machine */
};
/** "base", "measured", "noise_floor"; NULL for what is not known. */
const char *comparison_layout_from_name(enum comparison_layout_from from);

struct comparison_request {
    bool paired;                 /* block i of both sides was measured side by side */
    const char *const *patterns; /* shell patterns that a cell's name must match one of; none: all cells */
    size_t pattern_count;
    bool (*wanted)(const void *context, const char *cell); /* what else its name must have; NULL: nothing */
    const void *wanted_context;
    uint64_t seed;
    /**
     * 95th percentile of the absolute A/A effects of a cell with this many blocks, logarithm; NaN unknown. NULL: none.
     */
    double (*floor)(const void *context, const char *cell, size_t blocks);
    const void *context;
    /** [COMPARE_CLASSES] what a change of layout alone does on this machine, where BASE's run does not say; or NULL. */
    const double *layout;
    double alpha; /* of each bound; 0: the rule's */
    /** Outcomes of cells at an earlier look, which stay as they are (results/gate/looks.h). */
    const struct compare_outcome *decided;
    size_t decided_count;
};

/** What the time of a GEMV or GEMM is taken apart by, of both sides; NaN where not known. Of one core, as roofline/attribution.h. */
struct comparison_terms {
    double bytes, vectors;
    struct comparison_term_side {
        double time_s, gamma, clock_hz, roof_bytes_per_s, start_s;
    } base, head;
};

/** A control beside the cells: how the machine itself changed. */
struct comparison_control {
    const char *name;
    double effect; /* logarithm of the time ratio head / base */
};

struct comparison {
    struct comparable comparable;
    struct compare_rule rule;
    struct blocks_sharing sharing; /* what made the rule's thresholds */
    bool paired, processes;
    const char *replicate;          /* blocks_replicate */
    char source[24];                /* another benchmark that both are of, "" for ours */
    double layout[COMPARE_CLASSES]; /* what a change of layout alone does, logarithm; NaN: not known */
    enum comparison_layout_from layout_from[COMPARE_CLASSES];
    size_t base_blocks, head_blocks; /* of the runs */
    size_t least_blocks;             /* with which one of these cells could fail */
    size_t most_cells;               /* among which the one with most blocks could fail */
    size_t able;                     /* cells that could fail with the blocks they have; 0: this is no gate */
    struct compare_outcome *outcome; /* sorted by effect, names belong to the blocks */
    size_t count;
    struct comparison_control *control;
    size_t controls;
    struct resample_mean mean; /* NaN without a cell that has values */

    struct compare_cell *cell; /* what was judged */
    struct comparison_values *values;
    struct comparison_terms *terms; /* of each of these cells; bytes 0 where it is neither, or of a run without them */
};

/**
 * Compare the cells that both have. The names in it point into base, which must outlive it.
 * @return 0 or -ENOMEM; release with comparison_release
 */
int comparison_make(const struct blocks *base, const struct blocks *head, const struct comparison_request *request,
                    struct comparison *comparison);
void comparison_release(struct comparison *comparison);

/**
 * Remove cells that are not wanted, after something about them became known. What is said of the others stays as
 * it was judged, beside all of them. @return 0 or -ENOMEM
 */
int comparison_leave_out(struct comparison *comparison, bool (*wanted)(const void *context, const char *cell),
                         const void *context);

/**
 * Names of the suspected cells: a loss that has yet to be confirmed.
 * @param names  of at least comparison->count; NULL: only count
 * @return count
 */
size_t comparison_suspects(const struct comparison *comparison, const char **names);

/** Terms of a cell, with its effect as it was judged; false where it has none. */
bool comparison_terms_of(const struct comparison *comparison, const struct compare_outcome *outcome,
                         struct comparison_terms *terms);

/** Let every suspected cell fail, unconfirmed. */
void comparison_accept_suspects(struct comparison *comparison);

/** Records: of type "comparison" for every cell, and one of type "verdict". New references. */
json_t *comparison_record(const struct comparison *comparison, const struct compare_outcome *outcome);
json_t *comparison_verdict_record(const struct comparison *comparison, const char *base, const char *head);

/** Percent of a logarithm of a ratio: 5 for log(1.05). */
double comparison_percent(double logarithm);
