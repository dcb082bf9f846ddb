/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_TEAM_GEMM_H
#define HARNESS_TEAM_GEMM_H

#include <stddef.h>
#include <stdint.h>

#include "harness/team/team.h"
#include "micro/kernel.h"
#include "micro/reference.h"
#include "platforms/memory.h"

/**
 * One GEMM, out[token][row] = sum_k W[row][k] X[token][k], on a team. Members share the panels; where there are fewer
 * panels than members, several members have the same panels and share the tokens, in whole groups of the kernel's. Each
 * member's panels are one contiguous piece of memory that may lie anywhere.
 */
struct gemm_member {
    _Alignas(64) const uint8_t *weights; /* packed panels [first_panel, first_panel + panels) */
    size_t first_panel, panels;
    size_t first_token, tokens;  /* either count is 0: nothing to do */
    struct memory_block scratch; /* of this member alone, first touched by it */
};

struct gemm {
    const struct kernel *kernel;
    size_t m, k, tokens, panels, panel_bytes;
    unsigned threads;
    size_t stride, out_stride; /* elements from one token to the next */
    union {                    /* [tokens][stride], zero past k; int8 in [-127, 127], f32 in [-1, 1) */
        int8_t *activations;
        float *activations_f32;
    };
    uint8_t *prepared;    /* groups of tokens; NULL: run() takes the activations */
    float *scales;        /* [tokens] */
    int32_t *corrections; /* [tokens] */
    float *out;           /* [tokens][out_stride] */
    struct gemm_member *members;
    size_t prefetch_bytes;
    struct memory_block blocks[3]; /* of activations, prepared and out */
};

/** Bytes that gemm_prepare and gemm_touch allocate, the packed weights not among them. */
uint64_t gemm_working_bytes(const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads);

/**
 * Allocate for this kernel, shape, number of tokens and team size, draw the activations and scales from the seed, and
 * prepare them as the kernel wants them. @return 0 or -ENOMEM
 */
int gemm_prepare(struct gemm *gemm, const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads,
                 uint64_t seed);
void gemm_release(struct gemm *gemm);

/** By each member itself, before it first runs: its scratch. @return 0 or -ENOMEM */
int gemm_touch(struct gemm *gemm, unsigned member);

/** Bytes of scratch of all members together. */
uint64_t gemm_scratch_bytes(const struct gemm *gemm);

/** Panels and tokens of a member: see above. Pure. */
struct gemm_share {
    size_t first_panel, panels, first_token, tokens;
};
struct gemm_share gemm_share_of(const struct kernel *kernel, size_t panels, size_t tokens, unsigned member,
                                unsigned threads);

/** Bytes of packed weights that a member reads. */
size_t gemm_member_bytes(const struct gemm *gemm, unsigned member);

/** A member's share. Members do not wait for each other. */
void gemm_run_member(struct gemm *gemm, unsigned member);

/**
 * Compare what was written with the scalar reference, on the weights that the members' pointers name: everything where
 * that is cheap, else the first and the last panel of each member and some others, for the first and the last token of
 * each and some others.
 * @return 0 or -ENOMEM; how many results are wrong is in *check
 */
int gemm_verify(const struct gemm *gemm, uint64_t seed, struct reference_check *check);

#endif
