/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/check/call/checked_call.h"
#include "harness/check/operands/guarded_ordered.h"
#include "harness/check/operands/guarded_weights.h"
#include "micro/reference.h"
#include "platforms/memory/memory.h"

/** What the activations of a token are like. */
enum token_pattern {
    TOKEN_LEAST, /* all -127 */
    TOKEN_MOST,
    TOKEN_RANDOM,
    TOKEN_RUNS_1, /* 127 and -127 in runs of 1, 2, 4, … 64: what sums of 16 bits saturate on */
    TOKEN_RUNS_2,
    TOKEN_RUNS_4,
    TOKEN_RUNS_8,
    TOKEN_RUNS_16,
    TOKEN_RUNS_32,
    TOKEN_RUNS_64,
    TOKEN_SPIKES, /* a few large ones among small ones, which one scale does not serve */
    TOKEN_ZEROS,
    TOKEN_RANDOM_TOO,
    TOKEN_PATTERNS,
    TOKEN_LOWEST, /* all -128, which no quantizer gives: not among those of guarded_gemm_tokens */
};

/**
 * The operands of a GEMM, each of which ends (or begins) at a guard page; what run() may only read is sealed while it
 * runs, scratch holds junk, and what lies between the rows of the output, beside it and past scratch must stay as it
 * was. A call takes any number of panels and tokens up to those that there is room for; its operands lie at the guard
 * page whatever their number, so that one byte more is a fault.
 */
struct guarded_gemm {
    const struct kernel *kernel;
    size_t panels, k, rows, tokens; /* rows = panels * rows_per_panel; the most */
    size_t stride, out_stride;      /* elements from one token to the next */
    bool at_end;
    struct memory_guarded weights, activations, operand, prepared, scales, corrections, out, scratch;
    struct guarded_ordered ordered; /* what prepare_many() writes is compared with what ordered.prepare_many() does */
    struct guarded_decoded decoded;
    struct reference_row *expected;  /* [tokens][rows] */
    struct checked_call_report call; /* of the last call of prepare(), prepare_many() or run() */
    const char *called;              /* "gemm.run()"…, that was */
    size_t prepared_tokens; /* of how many the operand is that is prepared; 0: of none, or of other activations */
    bool is_constant;       /* tokens are those of guarded_gemm_tokens_constant(constant) */
    enum token_pattern constant;
    bool unsealed; /* the operands could not be protected: every call is CALL_NO_MEMORY */
    bool begun;    /* checked_calls_begin() */
};

/** 0, or -ENOMEM with nothing to release. */
int guarded_gemm_make(struct guarded_gemm *gemm, const struct kernel *kernel, size_t panels, size_t k, size_t tokens,
                      int guard_at_end) __attribute__((warn_unused_result));
void guarded_gemm_release(struct guarded_gemm *gemm);

/** Random weights, or guarded_fill_constant's. 0 or -ENOMEM. */
void guarded_gemm_weights_random(struct guarded_gemm *gemm, uint64_t *state);
int guarded_gemm_weights_constant(struct guarded_gemm *gemm, float low, float high);

/**
 * Give the tokens of all patterns in turn, beginning with `first`; then what each row must be, from prepare() where
 * row() needs it. Scales are random, corrections the format's.
 */
enum call_fault guarded_gemm_tokens(struct guarded_gemm *gemm, enum token_pattern first, uint64_t *state);

/** After guarded_gemm_tokens(first): in words, what a token of a call of this many tokens is like. */
const char *guarded_gemm_token_name(const struct guarded_gemm *gemm, enum token_pattern first, size_t tokens,
                                    size_t token);

/** The same pattern for all; what rows must be comes with it. */
enum call_fault guarded_gemm_tokens_same(struct guarded_gemm *gemm, enum token_pattern pattern, uint64_t *state);

/**
 * The same after weights_constant(low, high) of integer weights, by their sum alone: of use where K is large. Tokens of the pattern of the call
 * before stay, prepared or not.
 */
void guarded_gemm_tokens_constant(struct guarded_gemm *gemm, enum token_pattern pattern, float low, float high);

/**
 * This many panels and tokens (at the end the last of them, at the beginning the first): prepare_many(), then run().
 * *check compares what was written with what was expected.
 */
enum call_fault guarded_gemm_run(struct guarded_gemm *gemm, size_t panels, size_t tokens, size_t prefetch_bytes,
                                 struct reference_check *check);

/**
 * This many panels with no token, of a kernel that unpacks_alone: nothing but weights and scratch is there. Tests only: no kernel of a
 * plug-in is asked to.
 * @param alike  receives whether scratch is as after a run with a token (unpacked_alike); false without memory
 */
enum call_fault guarded_gemm_unpack(struct guarded_gemm *gemm, size_t panels, bool *alike);

/** As guarded_gemm_run(), and the largest distance from the definition as a share of what the kernel states. */
enum call_fault guarded_gemm_measure(struct guarded_gemm *gemm, size_t panels, size_t tokens,
                                     struct reference_check *check, double *of_bound);

/**
 * Whether a call of run() that unpacks alone left in its scratch what one with a token leaves there: each byte that it
 * changed is the same, and for every two columns, of the last 256, one is changed at least; how much more stays there is the
 * kernel's own affair.
 * Scratch of both was filled with junk before. What run() computes from that scratch is checked as any product is.
 * @param alone, multiplied  first `bytes` of scratch after each
 */
bool unpacked_alike(const uint8_t *alone, const uint8_t *multiplied, size_t bytes, uint8_t junk, size_t columns);
