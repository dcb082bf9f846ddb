/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/select/kernels/best.h"
#include "reports/select/tokens/token_bound.h"

/** What the figures of the mixed 2/4/16-bit family share. */

/** The paper's name among the papers; see papers_open. */
#define MIXED_PAPER "mixed-2-4-16"

/** What is compared: 16-bit floats, 4-bit integers of which a group has a scale, 2 and 4 bits, and these with outliers. */
enum mixed_kind { MIXED_F16, MIXED_Q4, MIXED_DENSE, MIXED_OUTLIERS, MIXED_KINDS };

struct mixed_column {
    const char *title;
    struct token_kernel kernel; /* the fastest of ours */
    unsigned colour;            /* 0xRRGGBB, the same in all of these figures */
};
extern const struct mixed_column mixed_columns[MIXED_KINDS];

/** The models of the paper's Table 3, in its order, as the list of shapes names them. */
enum { MIXED_MODELS = 5 };
extern const char *const mixed_models[MIXED_MODELS];

/** The fastest cold GEMV of a kernel on a shape with a team; NULL if there is none with a time. */
const json_t *mixed_gemv(const struct view *view, const struct token_kernel *kernel, double m, double k,
                         unsigned threads);

/**
 * Teams with which a GEMV of the format mixed24 or with outliers was measured: all threads, then one where that is another.
 * @return how many, 2 at most
 */
size_t mixed_teams(const struct view *view, unsigned teams[2]);

/** Where in a group of this many bars one stands, groups being 1 apart and the first at 0. */
static inline double mixed_place(size_t group, size_t side, size_t sides)
{
    return (double)group + 0.1 + 0.8 * ((double)side + 0.5) / (double)sides;
}
