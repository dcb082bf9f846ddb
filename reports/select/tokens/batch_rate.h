/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reports/select/run/view.h"

/**
 * Tokens a second that the weight matrices of a model allow with N tokens at once: N over the sum of count x time of its
 * products, each measured from memory on its own, nothing else counted. The output head is in the kernels' format too, and
 * left out of a prompt, of which only the last token needs it.
 */

/** Which kernels: of a format by name, or of the orders that interleave its rows (q4_0_8x8 and q4_0_m16 of q4_0). */
enum batch_layout { BATCH_ROWS, BATCH_ORDERS, BATCH_EITHER };
struct batch_kernels {
    const char *format;
    enum batch_layout layout;
    const char *origin; /* NULL: of any */
};

/** As the origin: of any but ours, as papers and libraries have them. */
#define BATCH_PUBLISHED "published"

/** Whether a gemv, gemm, decode or prefill row is of them. */
bool batch_kernels_are(const struct batch_kernels *kernels, const json_t *row);

struct batch_rate {
    double tokens_per_s; /* NaN unless every matrix was measured, with a valid result */
    double ci95[2];      /* of it, from those of the matrices, which are independent; NaN if one has none */
    double token_bytes;  /* packed weights read for all tokens at once */
    const char *kernel;  /* of the matrix that takes most of the time; "" without a rate */
    bool few;            /* without a rate: every matrix was visited, but of one at least too few samples were kept */
};

/**
 * By the fastest of the kernels on each matrix: chosen on one half of the samples and reported from the other; where too few
 * were kept for that, by the least median.
 * @param tokens  at once; 1: GEMVs, or where there are none GEMMs of one token
 */
struct batch_rate batch_rate(const struct view *view, const char *model, const struct batch_kernels *kernels,
                             size_t tokens, bool prompt, unsigned threads);

/**
 * The most tokens at once, of this many at least, with which every matrix of a prompt was measured; 0: none.
 * @param few_too  count those, too, that have no rate for lack of samples
 */
size_t batch_longest_prompt(const struct view *view, const char *model, const struct batch_kernels *kernels,
                            size_t least, unsigned threads, bool few_too);

/**
 * The fastest pass of the whole model: a token decoded, or one of each of several users at once, or for prompts the longest one that was
 * run. NULL: none with a number.
 * @param tokens  at once, as of batch_rate; 0: of a prompt
 */
const json_t *batch_pass(const struct view *view, const char *model, const struct batch_kernels *kernels, size_t tokens,
                         unsigned threads);

/** The largest team of any such product or pass, of these kernels; 0: none. */
unsigned batch_widest_team(const struct view *view, const struct batch_kernels *kernels);
