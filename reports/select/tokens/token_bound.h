/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "reports/select/run/view.h"

/**
 * Tokens per second that the GEMVs of a model allow: one over the sum of count x time of those that a token needs, and of the
 * preparations of their operands, on one core, once for q, k and v together and once for gate and up (shape_operands),
 * nothing else counted (no attention, no norms, no sampling), so that no inference with these kernels that prepares so is faster. Where
 * records do not say what preparing takes, it is not in it.
 *
 * The layers are in the kernel's format, the output head in 16-bit floats. The time of a shape is that of its valid
 * cold cell; where there is none it is the model's, packed bytes over min(beta, B/gamma), and the barrier.
 */

/** Which kernel. */
struct token_kernel {
    const char *format;
    const char *sequence; /* NULL: the fastest one of ours on each shape, in this format or a layout of ours of it:
                             "tq2_0" and "tq2_0_m16" */
};

/** Whether a gemv or decode row is of the kernel. */
bool token_kernel_is(const struct token_kernel *kernel, const json_t *row);

struct token_bound {
    double seconds;   /* of a token; NaN where neither measured nor modelled */
    double prepare_s; /* of those, what preparing operands takes; no part of the interval's width */
    double ci95[2];   /* of it, from those of the measured shapes, which are independent; NaN if one has none */
    double bytes;     /* packed weights that a token reads */
    double measured;  /* share of those bytes that lies in measured shapes */
    size_t one_layer; /* shapes measured on a single copy of their matrix */
};

/**
 * Time of a token: of each matrix of the model the measured time with this kernel on a team, or the modelled one where
 * its shape was not measured.
 * @param model    its name as in the list of shapes
 * @param threads  of the team, > 0
 */
struct token_bound token_bound(const struct view *view, const char *model, const struct token_kernel *kernel,
                               unsigned threads);

/**
 * Add the squares of how far the ends of the interval of a product's time are from its median, of one that a token needs so
 * often: seconds squared, below and above; NaN where the row has no interval.
 */
void token_add_interval(const json_t *cell, double count, double squares[2]);

/**
 * Bytes that a team reads per second: the median of the read roofs that were measured beside its cold GEMVs of a model's shapes, since
 * memory gives more in some minutes than in others; that of the run where none has one.
 */
double token_roof(const struct view *view, const char *model, unsigned threads);

/** The row of the gamma that models a kernel, by what its cells were predicted from, or by the sequence of the same
 * name; NULL if none was measured. */
const json_t *token_gamma(const struct view *view, const struct token_kernel *kernel);

/** Any gemv row of the kernel, for its bits and name; NULL if there is none. */
const json_t *token_any_cell(const struct view *view, const struct token_kernel *kernel);
