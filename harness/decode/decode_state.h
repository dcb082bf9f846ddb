/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/decode/decode_attention.h"
#include "harness/decode/decode_operand.h"
#include "harness/decode/decode_pass.h"

/** What a pass of a token consists of: decode_pass.c makes it ready, decode_step.c runs it. */
struct decode_pass {
    const struct decode_model *model;
    const struct decode_cache *cache;
    const struct decode_code *code;
    unsigned threads;

    struct decode_vector input[DECODE_GROUPS];
    struct gemv *gemv;         /* [distinct][DECODE_ROLES], and that of the head */
    void *y[DECODE_ROLES + 1]; /* rows, one vector a role */
    float *logits;             /* [vocabulary] */
    float *residual;           /* [hidden] */
    float *queries;            /* [heads][padded] */
    float *cosine, *sine;      /* [rope_values / 2] of the newest position */
    float *gates[2];           /* scaled gate and up, [ffn] */
    struct decode_attention attention;
    unsigned generation;
    struct decode_watch watch;
    struct watched_pass watched;
};

/** Of a layer and role, or the head. */
static inline struct gemv *decode_gemv_at(const struct decode_pass *pass, size_t layer, int role)
{
    return &pass->gemv[(role < DECODE_ROLES ? layer : pass->model->distinct) * DECODE_ROLES +
                       (size_t)(role % DECODE_ROLES)];
}
