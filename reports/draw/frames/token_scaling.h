/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/draw/figure.h"
#include "reports/select/papers/bitnet.h"

/**
 * A figure of what the cold GEMVs of a model allow over the number of threads: in one panel tokens per second, in the other the
 * bytes of weights that they read per second, below the read roof. Drawn by token_scaling.gnuplot: block 0 the roof (threads,
 * GB/s), then one per kernel (threads, tokens/s, GB/s, GB a token), each labelled where it ends, and one per kernel of passes through
 * the whole model, as far as the run has them (threads, tokens/s, GB/s).
 *
 * Only teams with which every shape of the model was measured are points.
 */
struct token_scaling {
    const char *model;
    const enum bitnet_system *systems; /* of each the paper's rendering, and the fastest of ours in the same format */
    size_t count;
};

/** Of a figure whose `of` is a struct token_scaling. */
extern const struct frame token_frame;
