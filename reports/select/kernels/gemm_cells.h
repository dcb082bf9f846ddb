/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "reports/select/run/view.h"

/** Choosing among the GEMM records of a run: m x k packed weights times n tokens at once. */

/** Which; zero and NULL stand for any, but of cold. */
struct gemm_query {
    double m, k, n;
    double format_bits; /* bits per weight that the format is named for */
    unsigned threads;
    bool cold;             /* weights from memory, else again from where they fit */
    const char *isa_begin; /* how the name of the instruction set begins: "amx" */
};

bool gemm_cells_match(const json_t *gemm, const struct gemm_query *query);

/** Whether its cycles were counted, or taken from a clock timed at each sample; else they are of the run's clock. */
bool gemm_cells_is_counted(const json_t *gemm);

/**
 * What to show of a run: cold if any row is; 4096 x 4096 if that is there; a team with more than one number of tokens, of
 * several the widest; the shape of most rows.
 */
struct gemm_query gemm_cells_reference(const struct view *view);

enum { GEMM_CELLS_TOKENS = 64, GEMM_CELLS_WIDTHS = 8 };

/** Numbers of tokens of the rows that match, ascending, each once. @return how many were written */
size_t gemm_cells_tokens(const struct view *view, const struct gemm_query *query, double tokens[GEMM_CELLS_TOKENS]);

/** Their widths in bits per weight, the widest first. @return how many were written */
size_t gemm_cells_widths(const struct view *view, const struct gemm_query *query, double widths[GEMM_CELLS_WIDTHS]);
