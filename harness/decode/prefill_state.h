/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_DECODE_PREFILL_STATE_H
#define HARNESS_DECODE_PREFILL_STATE_H

#include "harness/decode/prefill_pass.h"
#include "platforms/memory/memory.h"

/** What a pass of a prompt consists of: prefill_pass.c makes it ready, prefill_step.c runs it. */

/** What the matrices of a group read, a row a token; of the head one row. */
struct prefill_input {
    const struct kernel *kernel;
    size_t k, tokens, stride, taken_stride; /* of floats; of what the kernel takes */
    float *x;                               /* [tokens][stride], zero past k */
    int8_t *q;                              /* [tokens][taken_stride]; NULL: the kernel takes floats, from x */
    float *scales;                          /* [tokens] of q */
    int32_t *corrections;
    uint16_t *order; /* of column groups, of all matrices of the group; NULL: the format has none */
    void *ordered;   /* then room for what the kernel takes in it, like x or q */
    uint8_t *prepared;
};

struct prefill_pass {
    const struct decode_model *model;
    const struct decode_code *code;
    size_t tokens, layers; /* of the prompt; that a pass runs */
    unsigned threads;
    struct team *team;
    size_t steps;
    enum prefill_step step[PREFILL_LAYER_STEPS]; /* of a layer */
    size_t unit_tokens;                          /* that a member attends with at once */
    struct prefill_input input[DECODE_GROUPS];
    struct gemm gemm[DECODE_ROLES + 1]; /* of each role, whose weights are those of the layer that runs; of the head */
    float *residual;                    /* [tokens][hidden, padded] */
    float *queries;                     /* [tokens][heads][padded] */
    float *cosine, *sine;               /* [tokens][rope_values / 2] */
    float *gates[2];                    /* [threads][ffn, padded] */
    uint8_t *scratch;                   /* [threads] of attention */
    size_t scratch_bytes;
    uint16_t *keys, *values; /* bf16 [distinct][kv_heads][tokens][padded] */
    float *logits;
    const struct decode_hooks *around; /* each call of a kernel; NULL: nothing */
    bool releases_vectors;             /* after each call of a kernel */
    int error;                         /* of a member that found no memory for its scratch */
    struct memory_block block;
};

/** Values with those that pad them. */
static inline size_t prefill_padded(size_t values)
{
    return (values + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
}

/** Tokens that a member attends with at once: a tile of queries, or as few as give every member two of them. */
size_t prefill_unit_tokens(const struct model *facts, size_t tokens, unsigned threads);

#endif
