/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/cells/decode/decode.h"

/**
 * What the model says of a pass, from its parts, each from cells of the same run and none from the pass itself but its
 * clock and the read roof beside it:
 *
 *     GEMVs and head   the overlap model of each matrix (gemv_model.h) from gamma, omega and beta of one thread; beta of the team is
 *                      the roof beside the pass; its start without the barrier
 *                      of several users: GEMMs by gamma(N) as of a prompt (pass_model.h), the head among them
 *     attention        the overlap model of keys and values, from computing over them in a cache, that roof and omega of attention alone
 *     operands         quantization and the kernel's operand of every vector that is read, on one core; of several users dealt to the team
 *     norm, rope, gate as each takes alone on one core (layer.h): norms on one member, of several users dealt to the team, the others always
 *     joins            how often the team meets, times the barrier
 *
 * Not modelled: how results of GEMVs get from the core that wrote them to the one that reads them.
 */
struct decode_prediction {
    double gemv_s, head_s, attention_s, operand_s, norm_s, rope_s, gate_s, sync_s,
        total_s;                /* NaN: a part was not measured, or not often enough */
    double read_s, computing_s; /* of several users: each as if the other took no time */
    const char *why;            /* there is no total; NULL: there is one */
};

struct decode_prediction decode_predict(const struct session *session, const struct cells *cells,
                                        const struct cell *cell);

/** Record of type "decode": tokens a second, the parts, alpha, and what the model says. New reference. */
json_t *decode_record(const struct session *session, const struct cells *cells, const struct cell *cell);
