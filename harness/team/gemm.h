/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/team/schedule.h"
#include "harness/team/team.h"
#include "micro/kernel.h"
#include "micro/reference.h"
#include "platforms/memory/memory.h"

/**
 * One GEMM, out[token][row] = sum_k W[row][k] X[token][k], on a team. Members share the panels; where there are fewer
 * panels than members, or a schedule says so, several members have the same panels and share the tokens, in whole groups of the kernel's. Each
 * member's panels are one contiguous piece of memory that may lie anywhere. After its share lie its pieces of a dynamic
 * schedule's tail, whole panels, and the member that draws one reads it from there. Panels that a kernel only takes together
 * (kernel_call_panels) are one here.
 */
struct gemm_member {
    _Alignas(64) const uint8_t *weights; /* packed panels [first_panel, first_panel + panels), then its pieces */
    size_t first_panel, panels;
    size_t first_token, tokens;  /* either count is 0: nothing to do */
    struct schedule_pieces own;  /* of the tail, in its memory */
    uint64_t pieces;             /* of the tail that it has drawn, over all generations */
    double speed;                /* emulated: so much of its own, in (0, 1); 0: its own */
    struct memory_block scratch; /* of this member alone, first touched by it */
};

struct gemm {
    const struct kernel *kernel;
    size_t m, k, tokens, panels, panel_bytes;
    size_t columns, activation_bytes; /* k as the kernel is given it, and bytes of one of its activations */
    size_t together, group_rows;      /* panels of the format in one of these, and its rows */
    unsigned threads;
    size_t stride, out_stride; /* elements from one token to the next */
    int8_t *activations;       /* [tokens][stride], zero past k; int8 in [-127, 127], or f32 in [-1, 1) */
    void *source;              /* with an order: activations as they come, laid out as `activations` */
    uint16_t *order;           /* of column groups, in which `activations` are then; NULL: the format has none */
    uint8_t *prepared;         /* groups of tokens; NULL: run() takes the activations */
    float *scales;             /* [tokens] */
    int32_t *corrections;      /* [tokens] */
    float *out;                /* [tokens][out_stride] */
    struct gemm_member *members;
    struct schedule_tail tail;      /* no panels: every panel has its member */
    struct schedule_counter *drawn; /* [threads] of the pieces of each member */
    size_t prefetch_bytes;
    void (*run)(const struct gemm_slice *slice); /* gemm.run(), or a variant of it that its caller puts here */
    struct memory_block blocks[4]; /* of activations, prepared, out and source; none where they are others' */
    bool releases_vectors;         /* after each run(), which leaves upper halves of vector registers in use */
    bool borrows;                  /* scales, corrections and order are others' too */
};

/** What GEMMs share, zero past k. */
struct gemm_vectors {
    size_t stride, out_stride; /* at least those that gemm_stride and gemm_out_stride say, whole lines; 0: those */
    void *activations;         /* room for them in their order where there is one */
    void *source;              /* then as they come; NULL: no order */
    uint16_t *order;           /* [column_order_groups()]; NULL likewise */
    uint8_t *prepared;         /* kernel_gemm_prepared_bytes; NULL: the kernel has no prepare_many() */
    float *scales;             /* [tokens] */
    int32_t *corrections;      /* [tokens] */
    float *out;
};

/** Elements from one token to the next, of activations and of results. */
size_t gemm_stride(const struct kernel *kernel, size_t k);
size_t gemm_out_stride(const struct kernel *kernel, size_t m);

/** Bytes that gemm_prepare and gemm_touch allocate, the packed weights not among them. */
uint64_t gemm_working_bytes(const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads);

/**
 * Allocate for this kernel, shape, number of tokens and team size, draw the activations and scales from the seed, and
 * prepare them as the kernel wants them. @return 0 or -ENOMEM
 */
int gemm_prepare(struct gemm *gemm, const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads,
                 uint64_t seed);

/**
 * The same on what is others', which must live as long; who fills the activations, scales and corrections has the members
 * make their operands. 0 or -ENOMEM.
 */
int gemm_prepare_shared(struct gemm *gemm, const struct kernel *kernel, size_t m, size_t k, size_t tokens,
                        unsigned threads, const struct gemm_vectors *vectors);
void gemm_release(struct gemm *gemm);

/** Packed bytes of one of its panels, which is a group of those that the kernel only takes together. */
size_t gemm_panel_bytes(const struct kernel *kernel, size_t k);

/** Whether a team of this many shares the tokens, since there are fewer panels than members. */
bool gemm_splits_tokens(const struct kernel *kernel, size_t m, unsigned threads);

/**
 * Share the panels of a prepared GEMM by another schedule than equal shares; its members all have all tokens.
 * @return 0; -ENOMEM; -EINVAL: the tokens are shared, which only the static one ops. gemm_release frees what it allocates.
 */
int gemm_set_schedule(struct gemm *gemm, const struct schedule *schedule);

/**
 * Emulate a member that has `speed` of its own speed, 0 < speed < 1; 1: its own. After each few panels and each piece it
 * waits, off the memory, until that has taken 1 / speed of its time.
 */
void gemm_emulate_speed(struct gemm *gemm, unsigned member, double speed);

/** The most bytes of packed weights of all members that lie in one's memory, of a GEMM that would be shared like that. */
size_t gemm_largest_share(const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads,
                          const struct schedule *schedule);

/** The operands of groups [first, end) of tokens; a kernel without operands has none. */
size_t gemm_groups(const struct gemm *gemm);
void gemm_prepare_groups(struct gemm *gemm, size_t first, size_t end);

/** By each member itself, before it first runs: its scratch. @return 0 or -ENOMEM */
int gemm_touch(struct gemm *gemm, unsigned member);

/** Bytes of scratch of all members together. */
uint64_t gemm_scratch_bytes(const struct gemm *gemm);

/** Panels and tokens of a member of equal shares: see above. Pure. */
struct gemm_share {
    size_t first_panel, panels, first_token, tokens;
};
struct gemm_share gemm_share_of(const struct kernel *kernel, size_t panels, size_t tokens, unsigned member,
                                unsigned threads);

/** Bytes of packed weights that lie in a member's memory: what it reads, but for pieces of a tail. */
size_t gemm_member_bytes(const struct gemm *gemm, unsigned member);

/**
 * A member's share, then what it draws of the tail. Members do not wait for each other. All call it with the same
 * generation, another than the time before, and none begins a generation before all are through with the last.
 */
void gemm_run_member(struct gemm *gemm, unsigned member, unsigned generation);

/** Unpack a member's panels as that does before it multiplies, and nothing else, of a kernel that unpacks_alone. */
void gemm_unpack_member(struct gemm *gemm, unsigned member);

/** Some panels of a member's share alone, for its tokens: [first, first + count) of those that it has. */
void gemm_run_panels(struct gemm *gemm, unsigned member, size_t first, size_t count);

/** All results; whether the memory after them, of gemm_prepare, was written to. */
void *gemm_results(struct gemm *gemm, size_t *bytes);
bool gemm_overran(const struct gemm *gemm);

/**
 * Compare what was written with the scalar reference, on the weights that the members' pointers name: everything where
 * that is cheap, else the first and the last panel of each member and some others, for the first and the last token of
 * each and some others.
 * @return 0 or -ENOMEM; how many results are wrong is in *check
 */
int gemm_verify(const struct gemm *gemm, uint64_t seed, struct reference_check *check);
