/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reports/select/run/view.h"
#include "roofline/limit.h"

/** Choosing among the GEMV records of a run: figures and findings use the best kernel, not all that were tried. */

/** The reference shape, where one number is wanted. */
#define CELLS_REFERENCE_M 4096
#define CELLS_REFERENCE_K 4096

/** Cells of fewer weights are mostly start, barrier and tail; the model is judged on the others. */
#define CELLS_SMALL_WEIGHTS (1 << 20)

/** Which cells; zero and NULL stand for any. */
struct cell_query {
    const json_t *family;     /* a gamma or gemv record of the same width, the paper's or ours alike */
    const char *isa, *origin; /* origin: a paper as view_origin names it */
    const char *format;       /* by name */
    const char *kind;         /* of weights, as format_kind names it; records that do not say theirs are of any */
    bool papers;              /* only kernels of a paper's sequences */
    double m, k;
    double format_bits; /* bits per weight that the format is named for */
    unsigned threads;
    bool cold;         /* else warm */
    bool our_prefetch; /* renderings with a prefetch that their originals lack; else those without, and all of ours */
};

/** Neither above the roof nor different from the reference, with a time. */
bool cells_is_valid(const json_t *gemv);
bool cells_is_small(const json_t *gemv);
bool cells_match(const json_t *gemv, const struct cell_query *query);

/**
 * The gamma record that the cell was predicted by (its gamma_used, "name@accumulators"). Its session may have found another number of
 * accumulators best than the run's own sweep did, and a run may keep only the best: then of the records of that sequence the least
 * that a kernel can have. NULL: it has none.
 */
const json_t *cells_gamma(const struct view *view, const json_t *gemv);

struct cell_shape {
    double m, k;
};

/** The shapes of all cells in order of appearance. @return how many were written. */
size_t cells_shapes(const struct view *view, struct cell_shape *shapes, size_t capacity);

/**
 * Whether a cell is where it should be; see roofline/limit.h. From its numbers, so that older runs are judged, too.
 */
enum plausibility cells_plausibility(const json_t *gemv);

/** How many cells stand so, of those with a time. */
size_t cells_count_verdict(const struct view *view, enum plausibility plausibility);

/** Cold cells above the roof: not valid, and left out of what figures and findings say. */
size_t cells_above_roof(const struct view *view);
