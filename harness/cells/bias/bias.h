/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"
#include "results/gate/compare.h"
#include "results/gate/layout_bias.h"

/**
 * The bias budget: what a change of layout alone does here. The same work is timed with one thing changed, in rounds in
 * which every level of that thing has its turn; a factor of which all levels are the same shows the noise.
 */
enum bias_factor {
    BIAS_NOTHING,   /* the control: nothing differs */
    BIAS_CODE,      /* the loop 0, 4, … 60 bytes into a line (micro/code_offsets.h) */
    BIAS_ADDRESSES, /* code and constants in other pages and other lines of them, as builds and ASLR have them */
    BIAS_STACK,     /* the stack 0, 272, … 4080 bytes lower, as an environment of another size has it */
    BIAS_BUFFER,    /* weights 0, 320, … 4800 bytes further on */
    BIAS_DATA,      /* all zeros; random; weights of ones with activations of 127, of -127, of -128 */
    BIAS_PAGES,     /* huge pages, base pages */
    BIAS_FACTORS
};
const char *bias_factor_name(enum bias_factor factor); /* "nothing", "code_alignment", … */
/** What level i of a factor is: "+4 B", "zeros", "huge pages"; "" of the control. */
void bias_level_name(enum bias_factor factor, unsigned level, char *text, size_t size);

/** Whether two builds, or two processes of one, differ in it; what was measured is the same in data and pages. */
bool bias_factor_is_layout(enum bias_factor factor);

enum bias_subject {
    BIAS_GAMMA, /* a sequence, its operands in registers */
    BIAS_WARM,  /* a GEMV whose weights stay in L2 */
    BIAS_COLD,  /* one whose weights come from memory */
    BIAS_SUBJECTS
};
const char *bias_subject_name(enum bias_subject subject); /* "gamma", "warm", "cold" */

enum { BIAS_LEVELS_MOST = 16 };

struct bias_cell {
    enum bias_subject subject;
    enum bias_factor factor;
    unsigned levels;
    size_t m, k; /* of a GEMV */
};
extern const struct cell_kind cell_kind_bias;

/** What only a bias cell has; NULL for a cell of another kind. */
static inline struct bias_cell *bias_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_bias ? cell->own : NULL;
}

/** Every factor of every subject that this machine can run; none where it has no such kernel. 0 or -ENOMEM. */
int bias_add(struct cells *cells, const struct session *session);

/** Which level sample i is of: all in turn, in another order each round. */
unsigned bias_level_of(const struct cell *cell, size_t i);

/**
 * Median of a level, core cycles of the subjects that the core alone decides, else seconds; NaN with fewer than
 * STATS_KEPT_LEAST kept samples. *n is how many there are.
 */
double bias_median(const struct cell *cell, unsigned level, size_t *n);

/** The noise beside a cell: the control of the same subject; NULL: not measured. */
const struct cell *bias_control(const struct cells *cells, const struct cell *cell);

/**
 * What a factor does, by its samples (results/gate/layout_bias.h), in what bias_median is in. What levels that differ in nothing
 * show beyond noise is taken from `net`, too, which is NaN where they were not measured.
 */
struct layout_bias bias_of(const struct cells *cells, const struct cell *cell);

/** Whether a comparison takes the factor for a floor of what the subject stands for, or holds that against it. */
bool bias_is_floor(const struct bias_cell *bias, enum bias_subject subject);
