/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_DECODE_PREFILL_PASS_H
#define HARNESS_DECODE_PREFILL_PASS_H

#include <stdbool.h>

#include "harness/decode/decode.h"
#include "harness/decode/decode_hooks.h"
#include "harness/decode/decode_watch.h"
#include "harness/team/gemm.h"

/**
 * A prompt of N tokens through all layers of a model, on a team: the steps of decode_pass.h with a GEMM of all tokens where
 * that has a GEMV, and keys and values of all tokens stored in the cache of each layer, which is empty before. Token i
 * attends to positions 0 to i. The output head is of the last token alone, as inference needs it, by the GEMM of one token.
 *
 *     norm, quantize, rope, gate   by tokens, each with the code of a decode pass; quantized with one scale a token
 *     operand                      by groups of tokens, where the kernel has prepare_many()
 *     q,k,v  o  gate,up  down      GEMMs, by panels
 *     attention                    by key-value head and tiles of tokens, which share what is read of keys and values
 *
 * Every step ends at the team's barrier. All matrices of the layers are of one kernel, which has a GEMM; the head's has one,
 * too. Activations of all tokens are in memory that no member in particular touched first.
 *
 * A pass over a long prompt takes seconds, in which an operating system always does something else. So it is carried out step
 * by step, and a step in pieces, by callers that time them one by one, in order and over the memory of a whole pass; layers are
 * alike, so that a pass may be of fewer than the model has. A piece is some of each member's panels, tokens, or tiles of
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

/** Whether a step is one of a layer. */
bool prefill_step_is_of_layer(enum prefill_step step);

/** The steps of a layer of such a model with such a kernel, in order: its norms and operands may be none. @return how many */
size_t prefill_layer_steps(const struct model *facts, const struct kernel *kernel,
                           enum prefill_step step[PREFILL_LAYER_STEPS]);

struct prefill_pass;

enum { PREFILL_TOKENS_MOST = 1 << 16 };

/** The embedding of a token, [hidden]: that of the model, turned by a number of places that differs from token to token. */
void prefill_embedding(const struct decode_model *model, size_t token, float *x);

/**
 * Bytes that prefill_pass_open allocates for a model of this head and kernel, keys and values of this many layers; the
 * weights are not among them.
 */
uint64_t prefill_pass_bytes(const struct model *facts, const struct kernel *kernel, const struct kernel *head,
                            size_t tokens, size_t distinct, unsigned threads);

/**
 * Make ready to run. The model must be dealt for GEMMs of this many tokens (struct decode_weights_request); it and the code
 * must outlive the pass. Keys and values are stored for each distinct layer of the model.
 * @param layers  that a pass runs, at most those of the model
 * @return 0; -ENOMEM; -EINVAL for a model that it cannot run; with one line in why
 */
int prefill_pass_open(struct prefill_pass **pass, const struct decode_model *model, size_t tokens, size_t layers,
                      const struct decode_code *code, struct team *team, char *why, size_t size);
void prefill_pass_close(struct prefill_pass *pass);

/** The prompt's embeddings; then the steps of each layer, and the head. All members call all three; the first does not meet. */
void prefill_pass_begin(struct prefill_pass *pass, unsigned member);
/**
 * @param index   of the layer; of the head's steps how often they were run after these layers
 * @param piece   0 … pieces - 1
 */
void prefill_pass_step(struct prefill_pass *pass, unsigned member, size_t index, enum prefill_step step, size_t piece,
                       size_t pieces);
/** The most pieces that a step can be cut into, and the share of a piece in its work. */
size_t prefill_pass_pieces(const struct prefill_pass *pass, enum prefill_step step);
double prefill_pass_share(const struct prefill_pass *pass, enum prefill_step step, size_t piece, size_t pieces);
/** All of it. */
void prefill_pass_run(struct prefill_pass *pass, unsigned member);

/** As those of a pass of one token (decode_pass.h). */
void prefill_pass_watch(struct prefill_pass *pass, const struct decode_hooks *around);
bool prefill_pass_overran(const struct prefill_pass *pass);
void prefill_pass_release_vectors(struct prefill_pass *pass);

/** The logits of the last token, [vocabulary]. */
const float *prefill_pass_logits(const struct prefill_pass *pass);

/** How often a team meets in a pass through all layers. */
size_t prefill_pass_joins(const struct model *facts, const struct kernel *kernel, const struct kernel *head);

/** As decode_pass_verify: of the last layer's matrices and the head, the panels and tokens that gemm_verify compares. */
int prefill_pass_verify(struct prefill_pass *pass, uint64_t seed, struct reference_check *check, int *role);

#endif
