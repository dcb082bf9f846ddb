/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "reports/papers/papers.h"
#include "reports/select/tokens/token_bound.h"
#include "results/statistics/stats.h"

/** What the figures of bitnet.cpp share: the columns and rows of its Table 7, and their counterparts here. */

enum bitnet_system {
    BITNET_F16,
    BITNET_Q4_0,
    BITNET_TMAC,
    BITNET_TQ1_0,
    BITNET_TQ2_0,
    BITNET_TL1_0,
    BITNET_TL2_0,
    BITNET_I2_S,
    BITNET_SYSTEMS
};

struct bitnet_column {
    const char *title;         /* as the paper writes it */
    struct token_kernel paper; /* the paper's rendering here */
    struct token_kernel ours;  /* the fastest of ours in the same format */
    const char *values;        /* of the columns "i7_<values>" and "m2_<values>" of the paper's table */
    unsigned colour;           /* 0xRRGGBB, the same in all of these figures */
};
extern const struct bitnet_column bitnet_columns[BITNET_SYSTEMS];

enum { BITNET_SIZES = 8 };

/** "bitnet-700m" to "bitnet-100b", and the sizes as the table writes them. */
extern const char *const bitnet_models[BITNET_SIZES], *const bitnet_sizes[BITNET_SIZES];

/** The paper's two machines: the prefix of their columns, and names. */
enum { BITNET_MACHINES = 2 };
extern const char *const bitnet_machines[BITNET_MACHINES], *const bitnet_machine_titles[BITNET_MACHINES];

/** The paper's name among the papers; see papers_open. */
#define BITNET_PAPER "bitnet-cpp"

/**
 * Tokens per second that the paper measured on one of its machines, by model size; NaN where it says N/A or nothing.
 */
void bitnet_stated(const struct papers *papers, size_t machine, enum bitnet_system system,
                   double tokens_per_s[BITNET_SIZES]);

/** The best gamma of a sequence of appendix C.2, "mad", "tbl", of all instruction sets; NULL: it was not measured. */
const json_t *bitnet_c2(const struct view *view, const char *sequence);

enum { BITNET_RATIOS = 3 };

/** A headline ratio: how many times as many tokens per second one system has as another. */
struct bitnet_ratio {
    enum bitnet_system over, under;
    const char *claims[BITNET_MACHINES]; /* of roofline/papers: "up to" on each of the paper's machines; NULL: none */
};
extern const struct bitnet_ratio bitnet_ratios[BITNET_RATIOS];

/** What the measured GEMVs of a model allow, over and under; NaN unless every shape of both was measured. */
struct bounded bitnet_measured(const struct view *view, const char *model, const struct token_kernel *over,
                               const struct token_kernel *under, unsigned team);

/** The ratio in the paper's table by model size; NaN where it has none. */
void bitnet_stated_ratio(const struct papers *papers, size_t machine, const struct bitnet_ratio *ratio,
                         double ratios[BITNET_SIZES]);

/** The command whose records these figures need. */
#define BITNET_COMMAND(model) "kneepoint gemv --cold --model=" model " f16 q4_0 tmac2 tq1_0 tq2_0 tl1 tl2 i2_s"
