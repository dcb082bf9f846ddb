/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/draw/figure.h"
#include "reports/papers/papers.h"
#include "reports/select/tokens/batch_rate.h"

/**
 * Tokens a second as groups of bars, measured here and as a paper states them, and below them ratios of two of the bars, here
 * and there. reports/draw/frames/rate_grid.gnuplot draws it: panels stand in columns and rows (this host with all threads, with one
 * thread, the paper; ratios), groups within a panel side by side, and a group has a bar for each side.
 *
 * The .dat has a block for each row, column and side: place, tokens/s that products allow, tokens/s of a pass, group, detail;
 * then one for each column and ratio: place, ratio, low, high, group. A bar for which too few samples were kept has no number, and
 * its detail says RATE_FEW. A model of which nothing was measured is left out.
 */
enum { RATE_SIDES = 4, RATE_COLUMNS = 2, RATE_GROUPS = 6 };

struct rate_side {
    const char *title;
    struct batch_kernels kernels; /* here */
    unsigned colour;              /* 0xRRGGBB */
    const char *values;           /* what its columns of the paper are named by: "q4_0_8_8"; NULL: it has none */
};

struct rate_group {
    const char *model, *values; /* "llama3-8b" here, "m8b" in the paper; the latter NULL: it states nothing */
    size_t tokens;              /* at once; 0: a prompt, as long as was measured */
    size_t row;                 /* of the paper's columns */
};

struct rate_grid {
    const char *name; /* of the figure */
    struct rate_side sides[RATE_SIDES];
    size_t side_count, over, under,
        also; /* ratios: of side `over` to `under`; `also`: and to this one, == over: none */
    const char *column_title[RATE_COLUMNS], *group_title[RATE_GROUPS];
    size_t columns, groups;
    struct rate_group group[RATE_COLUMNS][RATE_GROUPS];
    const char *paper_title; /* of a figure with a paper */
};

#define RATE_FEW "too few samples kept"

/** A prompt is this many tokens at least. */
enum { RATE_PROMPT_LEAST = 64 };

/** Of a figure whose `of` is a struct rate_grid. */
extern const struct frame rate_frame;
