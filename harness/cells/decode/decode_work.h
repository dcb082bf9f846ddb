/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/decode/decode.h"
#include "harness/decode/decode_cache.h"
#include "harness/decode/decode_weights.h"
#include "harness/measure/session.h"
#include "micro/layers/model.h"
#include "micro/reference.h"

/** A token, one of each of several users at once, or a prompt, through a model. */
struct decode_work {
    struct model model;
    const struct kernel *kernel, *head; /* of all matrices of the layers; of the output head */
    enum layer_cache cache;             /* that keys and values of earlier positions are kept in; of a prompt bf16 */
    struct decode_lengths context;      /* positions that a token attends to, itself among them; of users in turn */
    size_t users; /* each with a token and a cache of its own, by GEMMs, 1 … DECODE_USERS_MOST; 0: one token, by GEMVs */
    size_t tokens; /* of a prompt, by GEMMs, 1 … PREFILL_TOKENS_MOST; 0: no prompt */
    unsigned threads;
    size_t distinct; /* layers to make weights of; 0: all, or as many as a visit runs, or as memory holds */
    const struct decode_given *given; /* the matrices, which may have kernels of their own; NULL: random ones */
    struct decode_prefetch prefetch[DECODE_ROLES + 1]; /* of each role, and the head, from a table; zero: not in it */
    struct decode_found found; /* for those that are not in a table, by GEMVs of the same session; else kernels' own */
};

/** "512", "127+511": each less this. */
const char *decode_lengths_text(const struct decode_lengths *lengths, size_t less, char *text, size_t size);
enum { DECODE_LENGTHS_TEXT = 96 };

/** How many tokens a pass that is no prompt gives. */
static inline size_t decode_work_given(const struct decode_work *work)
{
    return work->users ? work->users : 1;
}

/** Tokens that GEMMs multiply at once; 0: one, by GEMVs. */
static inline size_t decode_work_at_once(const struct decode_work *work)
{
    return work->users ? work->users : work->tokens;
}

/** Whether a prefetch distance of it is not the kernel's own. */
bool decode_is_tuned(const struct decode_work *work);

/** What a kernel of a pass multiplies, or what is read of a type that has none (decode_read.h). */
struct decode_use {
    const struct kernel *kernel;
    size_t matrices; /* that a token reads, the head among them or not */
    bool head;
    uint64_t bytes;
};
enum { DECODE_USES_MOST = 32 };

/** Let what runs with a kernel of the work have this distance. */
void decode_keep_found(struct decode_work *work, const struct kernel *kernel, size_t bytes);

/** Each kernel of a work once; kernels beyond the most are not there. @return how many */
size_t decode_uses(const struct decode_work *work, struct decode_use uses[DECODE_USES_MOST]);

/** The kernel of a layer and role, or of the head, DECODE_ROLES. */
const struct kernel *decode_kernel_at(const struct decode_work *work, size_t layer, int role);

/** cell_kind.calls of a cell with this work. */
const struct kernel *decode_calls(const struct decode_work *work, size_t number);

/** The weights of this many layers that differ. */
struct decode_weights_request decode_request(const struct decode_work *work, size_t distinct, uint64_t seed);

/** Layers whose weights, read round and round, are four times the caches or what was found to be cold; all at most. */
size_t decode_cold_layers(const struct session *session, const struct decode_work *work, uint64_t layer_bytes);

/**
 * Whether a pass can be made of this work: the formats hold the matrices, and memory holds the weights of all layers, or
 * of so many that reading them round and round finds none in a cache.
 * @param distinct  receives how many layers get weights
 * @return 0; -EINVAL, -ENOMEM with one line in why
 */
int decode_fits(const struct session *session, const struct decode_work *work, size_t *distinct, char *why,
                size_t size);

/** Say that a role has too many kernels. @return -EINVAL */
int decode_refuse_kernels(const struct model *model, char *why, size_t size);

/** Say that rows of a matrix of a layer, or of the head (DECODE_ROLES), are wrong. @return -EILSEQ */
int decode_refuse_rows(const struct decode_work *work, size_t layer, int role, const struct reference_check *check,
                       char *why, size_t size);
