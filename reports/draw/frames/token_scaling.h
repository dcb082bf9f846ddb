/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_DRAW_FRAMES_TOKEN_SCALING_H
#define REPORTS_DRAW_FRAMES_TOKEN_SCALING_H

#include <stddef.h>

#include "reports/select/papers/bitnet.h"

/**
 * A figure of what the cold GEMVs of a model allow over the number of threads: in one panel tokens per second, in the other the
 * bytes of weights that they read per second, below the read roof. Drawn by token_scaling.gnuplot: block 0 the roof (threads,
 * GB/s), then one per kernel (threads, tokens/s, GB/s, GB a token), each labelled where it ends.
 *
 * Only teams with which every shape of the model was measured are points.
 *
 * @param systems  the paper's rendering of each, and the fastest of ours in the same format
 * @return 0; -ENODATA nothing was measured
 */
int token_scaling_write(const struct view *view, const char *model, const enum bitnet_system *systems, size_t count,
                        FILE *settings, FILE *data);

#endif
