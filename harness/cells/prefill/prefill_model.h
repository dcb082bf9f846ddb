/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/prefill/prefill.h"

/**
 * What the model says of a prompt, from its parts, each from cells of the same run and none from the prompt itself but its
 * clock:
 *
 *     GEMMs       gamma(N) = gamma_dot + gamma_up / N and omega, fitted to a sweep over numbers of tokens of the same kernel and
 *                 team on a shape of its own (gemm_model.h), and each matrix' bytes over beta
 *     head        bytes over beta: of one token
 *     attention   a tile of queries of one key-value head in the middle of as many tokens, alone on one core (attention.h),
 *                 times the tiles and dealt to the team
 *     operands    quantization and the kernel's operand of every group of tokens that matrices read, dealt to the team
 *     between     floats that norms, rotary embedding, and gate read and write, over beta
 *     joins       how often the team meets, times the barrier
 */
struct prefill_prediction {
    double gemm_s, head_s, attention_s, operand_s, between_s, sync_s,
        total_s; /* NaN: a part was not measured, or not often enough */
    double read_s,
        computing_s; /* of the whole pass, each as if the other took no time: what its limit is the larger of */
    const char *why; /* there is no total; NULL: there is one */
};
struct prefill_prediction prefill_predict(const struct session *session, const struct cells *cells,
                                          const struct cell *cell);

/** Record of type "prefill": tokens a second, the parts, alpha, and what the model says. New reference. */
json_t *prefill_record(const struct session *session, const struct cells *cells, const struct cell *cell);
