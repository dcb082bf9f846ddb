/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/decode/decode.h"
#include "harness/decode/decode_cache.h"
#include "harness/decode/decode_watch.h"
#include "harness/decode/watched_pass.h"
#include "harness/team/gemv.h"
#include "harness/team/team.h"

/**
 * One token through all layers of a model and its output head, on a team. Every layer is these steps, each of which ends at
 * the team's barrier:
 *
 *     norm        x += the scaled rows of the matrix before; RMS norm            one member
 *     quantize    to int8, one scale, once for all matrices that read it         the same member, in the same step
 *     operand     tables, blocks: the kernel's prepare(), once likewise          all, or the same member where the operand
 *                                                                                is no row of steps
 *     q,k,v       three GEMVs                                                    all
 *     rope        output scales, rotary embedding, the new key and value stored  all, by heads
 *     attention   over the cache; its parts put together                         all, by positions; by heads
 *     …           quantize, operand                                              as above
 *     o           GEMV                                                           all
 *     …           norm, quantize, operand                                        as above
 *     gate,up     two GEMVs                                                      all
 *     gate        output scales, activation and product                          all, by rows
 *     …           quantize, operand                                              as above
 *     down        GEMV                                                           all
 *
 * and then norm, quantize, operand and the head, with its output scales. A vector of some thousand values is normed and
 * quantized by one member while the others wait: it takes a microsecond, and sharing it would take another barrier.
 * Neither the embedding of the token (a row that is copied) nor the choice of the next one is part of a pass.
 *
 * Time of the parts: the first member reads the time-stamp counter after the barrier that ends a part; what the others
 * still do of the barrier, and waiting for the slowest, is in the part. That is one reading a part (decode_pass_stamps), some ten
 * nanoseconds each (decode_stamp_s measures it), so a pass of 32 layers is 10 us longer for it.
 */
struct decode_pass;

/**
 * Make ready to run. Model, cache and code must outlive the pass; the cache may have fewer layers than the model, which
 * then take turns with them.
 * @return 0; -ENOMEM; -EINVAL for a shape that a kernel's format does not hold; with one line in why
 */
int decode_pass_open(struct decode_pass **pass, const struct decode_model *model, const struct decode_cache *cache,
                     const struct decode_code *code, struct team *team, char *why, size_t size);
void decode_pass_close(struct decode_pass *pass);

/** Bytes that decode_pass_open allocates, about. */
uint64_t decode_pass_bytes(const struct model *facts, unsigned threads);

/**
 * A member's share of a pass; all members call it.
 * @param ticks  written by the first member; NULL: of no interest
 */
void decode_pass_run(struct decode_pass *pass, unsigned member, struct decode_ticks *ticks);

/** The logits of the last pass, [vocabulary]. */
const float *decode_pass_logits(const struct decode_pass *pass);

/** How often the team met in a pass, and how often the first member read the clock. */
size_t decode_pass_joins(const struct decode_pass *pass);
size_t decode_pass_stamps(const struct decode_pass *pass);

/** While it is watched, each member has its own pieces of a schedule's tail. */
struct watched_pass *decode_pass_watched(struct decode_pass *pass);

/** Whether a kernel's operand is made by all members. */
bool decode_pass_shares_operand(const struct decode_pass *pass);
