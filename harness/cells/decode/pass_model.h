/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/decode/decode_work.h"

/** What the model says of all passes that multiply many tokens at once: of a prompt, or of several users. */

/** What the products of a pass of many tokens take: GEMMs of the layers, and the head, which of several users is a GEMM too. */
struct pass_products {
    double layers_s, head_s, computing_s; /* the last as if nothing were read; NaN: not known */
    const char *why;                      /* that is so; NULL: it is not */
};
struct pass_products pass_products(const struct session *session, const struct cells *cells, const struct cell *cell,
                                   const struct decode_work *work, double bandwidth);

/** Seconds of the operands, dealt to the team; NaN: one was not measured. */
double pass_operand_time(const struct cells *cells, const struct decode_work *work);

/**
 * The shape of the sweep that a kernel's gamma(N) is fitted to: this many rows a member, so that no sample of the numbers of
 * tokens swept takes more than some milliseconds. Of longer prompts gamma(N) is flat.
 */
enum { PASS_SWEEP_ROWS = 128, PASS_SWEEP_K = 4096, PASS_SWEEP_MOST = 512 };
