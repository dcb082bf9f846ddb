/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "results/statistics/resample.h"

/**
 * Is HEAD slower than BASE? The verdict of a regression gate, from the values of blocks alone. Pure functions.
 *
 * The replicate is a block: one fresh process, whose value is the median of its kept samples, or of live pairs their lower
 * quartile, less what the roof beside them explains (results/gate/roof_control.h). The effect is the
 * logarithm of the time ratio head / base, above zero where head is slower: the Hodges-Lehmann estimate, with the exact
 * signed-rank interval where base and head were measured in pairs (results/statistics/signed_rank.h), else with that of the rank
 * sum (results/statistics/rank_sum.h).
 *
 * A cell fails only if all of these hold
 *   - its lower bound, at the level that Holm's procedure over all cells leaves it, is above zero;
 *   - its effect is larger than its threshold, and than 1.5 times the 95th percentile of its A/A comparisons, and of what
 *     a change of layout alone does on this machine (results/gate/layout_bias.h);
 *   - its absolute change is more than 10 ns;
 *   - a fresh comparison of the same cell says the same: with values of both sides that the first did not have. One
 *     lucky BASE makes two comparisons with it agree.
 * It passes only if its upper bound is below the threshold. Else it is inconclusive, and says why.
 *
 * The upper bound is not adjusted for the number of cells: a comparison passes only when all of its cells do, and the
 * chance of that with a cell that is slower is that cell's alone (an intersection-union test).
 */

/** What a cell's time depends on, which decides what noise is usual. */
enum compare_class {
    COMPARE_CORE,   /* the core and its private caches: gamma, preparation of activations, warm data in L1 and L2 */
    COMPARE_MEMORY, /* what cores share: the last-level cache and memory */
    COMPARE_CLASSES
};
const char *compare_class_name(enum compare_class class); /* "core", "memory" */

/** Least loss that counts, as a ratio less 1: 1% and 2% on a quiet host, 3% and 8% on a shared one. */
double compare_threshold(enum compare_class class, bool shared);

struct compare_rule {
    double alpha;                 /* of each bound, one-sided */
    double floor_factor;          /* of the A/A percentile */
    double least_change_s;        /* seconds */
    bool shared[COMPARE_CLASSES]; /* the host is, for cells of that class: see results/blocks/blocks.h */
    uint64_t seed;                /* of what is drawn */
};

/**
 * alpha 0.05, factor 1.5, 10 ns, quiet, seed 1. A failure needs two comparisons, each with that chance over all its
 * cells that any which did not change is taken for slower: 0.25% together.
 */
struct compare_rule compare_rule_default(void);

/** The values of one cell on both sides, all > 0. */
struct compare_cell {
    const char *name;
    enum compare_class class;
    bool paired; /* value i of base and value i of head were measured side by side */
    const double *base, *head;
    const unsigned *base_block, *head_block; /* number of the process of each value */
    size_t base_count, head_count;           /* equal where paired */
    double base_s;                           /* seconds that one timed piece of work takes on the base side */
    double floor;                            /* 95th percentile of the absolute A/A effects, logarithm; NaN: unknown */
    double layout;      /* how far a change of layout alone moves such cells here, logarithm; NaN: not known */
    bool decided;       /* at an earlier look (results/gate/looks.h): it takes its place in Holm's procedure, no more */
    double roof_effect; /* logarithm of the roof's time ratio beside this cell; 0 where none was measured */
    double roof_slope;  /* what of the roof's ratio was taken off that of each pair (results/gate/roof_control.h) */
};

enum compare_verdict { COMPARE_PASSED, COMPARE_INCONCLUSIVE, COMPARE_SUSPECTED, COMPARE_FAILED, COMPARE_VERDICTS };
/** "pass", "inconclusive", "suspected" (a loss that awaits its confirmation; inconclusive without it), "fail". */
const char *compare_verdict_name(enum compare_verdict verdict);

/** Why a cell is not a pass. */
enum compare_reason {
    COMPARE_NO_REASON,
    COMPARE_NO_BLOCKS,     /* a side has no value: every sample was rejected, or its cycles have no clock */
    COMPARE_FEW_BLOCKS,    /* no bound exists at this level with so few */
    COMPARE_ROOF_MOVED,    /* the roof beside it changed by more than the threshold */
    COMPARE_GIVEN_UP,      /* so noisy that more pairs than there is time for would not tell (results/gate/looks.h) */
    COMPARE_UNCERTAIN,     /* the interval holds both no loss and one above the threshold */
    COMPARE_SMALL,         /* a loss below the threshold, which it may exceed */
    COMPARE_WITHIN_NOISE,  /* a loss that A/A comparisons show too */
    COMPARE_LAYOUT,        /* a loss that the same code shows at other addresses */
    COMPARE_SHORT,         /* an absolute change of 10 ns or less */
    COMPARE_UNCONFIRMED,   /* all conditions hold, and no fresh comparison was made */
    COMPARE_NOT_CONFIRMED, /* a fresh comparison did not say the same */
    COMPARE_SAME_BASE,     /* another HEAD did say the same, but of the same BASE */
    COMPARE_LOSS,          /* slower, and confirmed */
    COMPARE_REASONS
};
const char *compare_reason_text(enum compare_reason reason);

struct compare_outcome {
    const char *name;
    enum compare_class class;
    size_t base_blocks, head_blocks;
    double base_s;        /* as given */
    double effect;        /* logarithm of head / base; NaN without values */
    double lower, upper;  /* bounds; infinite where there are too few blocks for one */
    double p;             /* one-sided, of "head is slower" */
    double adjusted_p;    /* by Holm, over the cells */
    double threshold;     /* logarithm */
    double floor;         /* logarithm; NaN where neither known nor asked for */
    double layout;        /* as given */
    double roof_slope;    /* as given */
    bool floor_simulated; /* drawn from the blocks' own scatter, since no A/A comparison of the cell is known */
    double change_s;      /* absolute change of one timed piece of work */
    enum compare_verdict verdict;
    enum compare_reason reason;
};

/**
 * Judge the cells together. Confirmation comes afterwards: losses are "suspected".
 * @return 0, -ENOMEM, -EINVAL for a value that is not above 0 or an invalid pair
 */
int compare_cells(const struct compare_rule *rule, const struct compare_cell *cells, size_t count,
                  struct compare_outcome *outcomes);

/** What the base of a confirming comparison is. */
enum compare_confirming { COMPARE_FRESH_BASE, COMPARE_BASE_AGAIN };

/**
 * Hold suspected losses against a fresh comparison of those cells: the same becomes a failure, all else inconclusive.
 * Without a fresh base the same stays suspected.
 */
void compare_confirm(struct compare_outcome *outcomes, size_t count, enum compare_confirming confirming,
                     const struct compare_outcome *fresh, size_t fresh_count);

/** How many cells have each verdict. */
void compare_count(const struct compare_outcome *outcomes, size_t count, size_t of[COMPARE_VERDICTS]);

/** Failed if any cell did, passed if all did and there are any, else inconclusive. */
enum compare_verdict compare_overall(const struct compare_outcome *outcomes, size_t count);

/** Order for a table: largest effect first, cells without values last, then by name. */
void compare_sort(struct compare_outcome *outcomes, size_t count);

/** Fewest blocks of each side with which one of this many cells can fail at all. */
size_t compare_least_blocks(double alpha, size_t cells, bool paired);

/** Most cells among which one with this many blocks can fail at all; 0: none. */
size_t compare_most_cells(double alpha, size_t base_blocks, size_t head_blocks, bool paired);

/** Geometric mean of the ratios of all cells that have values (results/statistics/resample.h). -ENODATA if none has. */
int compare_geometric_mean(const struct compare_rule *rule, const struct compare_cell *cells, size_t count,
                           struct resample_mean *mean);
