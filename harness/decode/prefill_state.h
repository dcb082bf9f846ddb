/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/decode/decode_attention.h"
#include "harness/decode/prefill_pass.h"
#include "platforms/memory/memory.h"

/** What a pass of a prompt consists of: prefill_pass.c makes it ready, prefill_step.c runs it. */

/** What a kernel makes of a group's rows, and whatever others read the same. */
struct prefill_operand {
    const struct kernel *kernel;
    int32_t *corrections; /* [tokens] */
    uint16_t *order;      /* of column groups, of all its matrices of the group; NULL: the format has none */
    void *ordered;        /* then room for what the kernel takes in it, like x or q */
    uint8_t *prepared;    /* NULL: the kernel has no prepare_many() */
};
enum { PREFILL_OPERANDS_MOST = 3 * DECODE_KERNELS_MOST };

/** What the matrices of a group read, a row a token; of the head of a prompt one row. */
struct prefill_input {
    size_t k, tokens, stride, q_stride; /* of floats; of int8 */
    float *x;                           /* [tokens][stride], zero past k */
    int8_t *q;                          /* [tokens][q_stride]; NULL: no kernel takes int8 */
    float *scales;                      /* [tokens] of q */
    struct prefill_operand operand[PREFILL_OPERANDS_MOST];
    size_t operands;
};

/** The GEMM of all matrices of a role and kernel, whose weights are those of the layer that runs. */
struct prefill_product {
    struct gemm gemm;
    const struct prefill_operand *operand;
};

/** Where the results of a role are. */
struct prefill_results {
    float *out; /* [tokens][stride] */
    size_t tokens, stride;
    const struct prefill_product *last; /* whose results they are */
};

struct prefill_pass {
    const struct decode_model *model;
    const struct decode_code *code;
    size_t tokens, layers; /* of the prompt, or the batch; that a pass runs */
    bool batch;            /* a token of each of as many users */
    unsigned threads;
    struct team *team;
    size_t unit_tokens; /* that a member attends with at once */
    struct prefill_input input[DECODE_GROUPS];
    struct prefill_results results[DECODE_ROLES + 1];
    struct prefill_product *product; /* of each role and kernel, and of the head */
    size_t products;
    struct prefill_product **of; /* [distinct][DECODE_ROLES] of each matrix, and of the head */
    float *residual;             /* [tokens][hidden, padded] */
    float *queries;              /* [tokens][heads][padded] */
    float *cosine, *sine;        /* [tokens][rope_values / 2] */
    float *gates[2];             /* [threads][ffn, padded] */
    uint8_t *scratch;            /* [threads] of attention */
    size_t scratch_bytes;
    uint16_t *keys, *values;           /* bf16 [distinct][kv_heads][tokens][padded] of a prompt */
    struct decode_attention attention; /* of a batch */
    float *logits;
    struct decode_watch watch;
    struct watched_pass watched;
    int error; /* of a member that found no memory for its scratch */
    struct memory_block block;
};

/** The group that a step makes or reads. */
enum decode_group prefill_step_group(enum prefill_step step);

/** Whether there is anything to make of the rows: groups of tokens, or copies of them in the matrices' order. */
bool prefill_makes_operand(const struct kernel *kernel);

/** Values with those that pad them. */
static inline size_t prefill_padded(size_t values)
{
    return (values + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
}

/** Tokens that a member attends with at once: a tile of queries, or as few as give every member two of them. */
size_t prefill_unit_tokens(const struct model *facts, size_t tokens, unsigned threads);
