/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/product/product_settings.h"
#include "results/tuned/tuning.h"

/**
 * What there is to choose from for a problem [apt-llm, V-B]: each kernel of its family, which is the route (popcount, carry-save, nibble,
 * VNNI, AMX …), and of each kernel every combination of
 *
 *     variant    register block and cut of K, of a GEMM kernel that has some (micro/tuning.h)
 *     prefetch   product_distances()
 *     share      rows; and tokens, of a GEMM of a team where there is a group of them for each member
 */
struct tune_candidate {
    const struct kernel *kernel;
    bool gemm; /* else its GEMV */
    struct product_settings settings;
};

/** A problem of this kernel's family. */
struct tuning_problem tune_problem(const struct kernel *kernel, size_t m, size_t k, size_t n, unsigned threads,
                                   bool cold);

/** The settings of a kernel for a problem, its own first; GEMVs where N is 1. @return how many there are, of which `most` are written */
size_t tune_candidates(const struct kernel *kernel, const struct tuning_problem *problem,
                       struct tune_candidate *candidates, size_t most);

/** Whether a GEMM's team can share tokens in place of rows: it has a group of them, and a panel, for each member. */
bool tune_can_share_tokens(const struct kernel *kernel, const struct tuning_problem *problem);

/** The variant of that name of a kernel, and false if it has none; "" is the kernel's own. */
bool tune_set_variant(const struct kernel *kernel, const char *name, struct product_settings *settings);

/** Settings as a table has them. false: the kernel has no such variant */
bool tune_settings_of(const struct kernel *kernel, const struct tuning_cell *cell, struct product_settings *settings);
