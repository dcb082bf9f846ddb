/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/decode/decode.h"
#include "harness/decode/decode_cache.h"
#include "harness/decode/decode_watch.h"
#include "harness/decode/decode_weights.h"
#include "harness/decode/watched_pass.h"
#include "harness/team/gemm.h"

/**
 * A prompt of N tokens through all layers of a model, on a team: the steps of decode_pass.h with a GEMM of all tokens where
 * that has a GEMV, and keys and values of all tokens stored in the cache of each layer, which is empty before. Token i
 * attends to positions 0 to i. The output head is of the last token alone, as inference needs it, by the GEMM of one token.
 *
 *     norm, quantize, rope, gate   by tokens, each with the code of a decode pass; quantized with one scale a token
 *     operand                      by groups of tokens, where the kernel has prepare_many(); once for all kernels that read the same
 *     q,k,v  o  gate,up  down      GEMMs, by panels
 *     attention                    by key-value head and tiles of tokens, which share what is read of keys and values
 *
 * Every step ends at the team's barrier. Every matrix may have a kernel of its own, which has a GEMM. GEMMs of kernels that differ are steps
 * of their own, and so are operands. Activations of all tokens are in memory that no member in particular touched first.
 *
 * Or a batch: the next token of each of N users, by the same steps. The token of each user is at the newest position of its own keys and
 * values, which are in a cache; it attends to those alone, by the code of a decode pass. The head is of all tokens.
 *
 * A pass over a long prompt takes seconds, in which an operating system always does something else. So it is carried out step
 * by step, and a step in pieces, by callers that time them one by one, in order and over the memory of a whole pass; layers of the same
 * kernels are alike, so that a pass may be of fewer than the model has. A piece is some of each member's panels, tokens, or tiles of
 * queries, which the member computes one after the other anyway; at its end the team meets.
 */
enum prefill_step {
    PREFILL_NORM_ATTENTION,
    PREFILL_QUANTIZE_ATTENTION,
    PREFILL_OPERAND_ATTENTION,
    PREFILL_QKV,
    PREFILL_ROPE,
    PREFILL_ATTENTION,
    PREFILL_NORM_O,
    PREFILL_QUANTIZE_O,
    PREFILL_OPERAND_O,
    PREFILL_O,
    PREFILL_NORM_FFN,
    PREFILL_QUANTIZE_FFN,
    PREFILL_OPERAND_FFN,
    PREFILL_GATE_UP,
    PREFILL_GATE,
    PREFILL_NORM_DOWN,
    PREFILL_QUANTIZE_DOWN,
    PREFILL_OPERAND_DOWN,
    PREFILL_DOWN,
    PREFILL_NORM_HEAD, /* after all layers: norm and operand of the last token */
    PREFILL_HEAD,
    PREFILL_STEPS,
    PREFILL_LAYER_STEPS = PREFILL_NORM_HEAD
};
enum decode_part prefill_step_part(enum prefill_step step);

/** A step as it is carried out, for some of its roles: of products, neighbours that have the same kernel; of operands, one that reads it. */
struct prefill_stage {
    enum prefill_step step;
    int first, last; /* roles; DECODE_ROLES: of the head; of other steps 0 */
};
/* q, k and v, and gate and up, may each have a kernel and an operand of their own */
enum { PREFILL_LAYER_STAGES = PREFILL_LAYER_STEPS + 6 };

/** The stages of the head. */
extern const struct prefill_stage prefill_norm_head, prefill_head;

/**
 * The stages of a layer whose matrices have these kernels, in order: its norms and operands may be none.
 * @param kernel  of each role
 * @return        how many
 */
size_t prefill_layer_stages(const struct model *facts, const struct kernel *const kernel[DECODE_ROLES],
                            struct prefill_stage stage[PREFILL_LAYER_STAGES]);

/** Whether the GEMMs of two kernels read the same operand of k activations, by the same prepare_many(). */
bool prefill_shares_operand(const struct kernel *one, const struct kernel *other, size_t k);

struct prefill_pass;

enum { PREFILL_TOKENS_MOST = 1 << 16, DECODE_USERS_MOST = 1 << 10 };

/** The embedding of a token, [hidden]: that of the model, turned by a number of places that differs from token to token. */
void prefill_embedding(const struct decode_model *model, size_t token, float *x);

/**
 * Bytes that prefill_pass_open allocates for a model of these kernels; not its weights.
 * @param distinct  layers whose keys and values it stores; 0: of a batch, whose cache is not the pass's
 */
uint64_t prefill_pass_bytes(const struct model *facts, const struct decode_kernels *kernels, size_t tokens,
                            size_t distinct, unsigned threads);

/**
 * Make ready to run. The model must be dealt for GEMMs of this many tokens (struct decode_weights_request); it and the code
 * must outlive the pass. Keys and values are stored for each distinct layer of the model.
 * @param cache   of a batch: of as many users as there are tokens; it outlives the pass, too, and may have fewer layers than the model,
 *                which then take turns with them. NULL: of a prompt
 * @param layers  that a pass runs, at most those of the model
 * @return 0; -ENOMEM; -EINVAL for a model that it cannot run; with one line in why
 */
int prefill_pass_open(struct prefill_pass **pass, const struct decode_model *model, const struct decode_cache *cache,
                      size_t tokens, size_t layers, const struct decode_code *code, struct team *team, char *why,
                      size_t size);
void prefill_pass_close(struct prefill_pass *pass);

/** The prompt's embeddings; then the steps of each layer, and the head. All members call all three; the first does not meet. */
void prefill_pass_begin(struct prefill_pass *pass, unsigned member);
/**
 * @param index   of the layer; of the head's steps how often they were run after these layers
 * @param piece   0 … pieces - 1
 */
void prefill_pass_step(struct prefill_pass *pass, unsigned member, size_t index, const struct prefill_stage *stage,
                       size_t piece, size_t pieces);
/** The most pieces that a stage of a layer can be cut into, and the share of a piece in its work. */
size_t prefill_pass_pieces(const struct prefill_pass *pass, size_t index, const struct prefill_stage *stage);
double prefill_pass_share(const struct prefill_pass *pass, size_t index, const struct prefill_stage *stage,
                          size_t piece, size_t pieces);
/** All of it. @param ticks  as of decode_pass_run */
void prefill_pass_run(struct prefill_pass *pass, unsigned member, struct decode_ticks *ticks);

struct watched_pass *prefill_pass_watched(struct prefill_pass *pass);

/** The logits of the last token, [vocabulary]; of a batch [tokens][vocabulary]. */
const float *prefill_pass_logits(const struct prefill_pass *pass);

/** How often the team met in the last pass as a whole, and how often the first member read the clock. */
size_t prefill_pass_met(const struct prefill_pass *pass);
size_t prefill_pass_stamps(const struct prefill_pass *pass);

/** How often a team meets in a pass of a prompt through all layers. */
size_t prefill_pass_joins(const struct decode_weights_request *request);
