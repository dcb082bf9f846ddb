/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_DECODE_PREFILL_PASS_H
#define HARNESS_DECODE_PREFILL_PASS_H

#include "harness/decode/decode.h"
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
 *     attention                    by token and key-value head, dealt so that short and long ones are even; each reads all its
 *                                  keys and values, with the code of a decode pass: no tile of tokens shares them
 *
 * Every part ends at the team's barrier and is timed there. All matrices of the layers are of one kernel, which has a GEMM;
 * the head's has one, too. Activations of all tokens are in memory that no member in particular touched first.
 */
struct prefill_pass;

enum { PREFILL_TOKENS_MOST = 1 << 16 };

/** The embedding of a token, [hidden]: that of the model, turned by a number of places that differs from token to token. */
void prefill_embedding(const struct decode_model *model, size_t token, float *x);

/** Bytes that prefill_pass_open allocates for a model of this head and kernel; the weights are not among them. */
uint64_t prefill_pass_bytes(const struct model *facts, const struct kernel *kernel, const struct kernel *head,
                            size_t tokens, unsigned threads);

/**
 * Make ready to run. The model must be dealt for GEMMs of so many tokens (struct decode_weights_request); it and the code
 * must outlive the pass.
 * @return 0; -ENOMEM; -EINVAL for a model that it cannot run; with one line in why
 */
int prefill_pass_open(struct prefill_pass **pass, const struct decode_model *model, size_t tokens,
                      const struct decode_code *code, struct team *team, char *why, size_t size);
void prefill_pass_close(struct prefill_pass *pass);

/** As decode_pass_run. */
void prefill_pass_run(struct prefill_pass *pass, unsigned member, struct decode_ticks *ticks);

/** The logits of the last token, [vocabulary]. */
const float *prefill_pass_logits(const struct prefill_pass *pass);

/** How often the team met in a pass, and how often the first member read the clock. */
const struct decode_watch *prefill_pass_watch(const struct prefill_pass *pass);

/** As decode_pass_verify: of the last layer's matrices and the head, the panels and tokens that gemm_verify compares. */
int prefill_pass_verify(struct prefill_pass *pass, uint64_t seed, struct reference_check *check, int *role);

#endif
