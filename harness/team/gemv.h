/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/team/partition.h"
#include "harness/team/schedule.h"
#include "harness/team/team.h"
#include "micro/kernel.h"
#include "micro/reference.h"

/**
 * One GEMV, y = W a, on a team: the stretches of the members, their carries, the activations. Each member's packed
 * weights are one contiguous piece of memory that may lie anywhere (its own node, its own pool). After its stretch lie
 * its pieces of a dynamic schedule's tail, and the member that draws one reads it from there.
 *
 * A unit is what the matrix may be cut at: a step if the kernel can add partial sums, else a whole panel; panels that a kernel
 * only takes together (kernel_call_panels) are one here.
 */
enum { GEMV_ROWS_MAX = 128 }; /* of a panel that is cut */

struct gemv_member {
    _Alignas(64) struct partition part;
    const uint8_t *weights;                    /* packed units [part.first, part.end), then its pieces of the tail */
    _Alignas(64) int32_t carry[GEMV_ROWS_MAX]; /* partial sums of the head panel */
    _Alignas(64) int32_t tail[GEMV_ROWS_MAX];
    _Alignas(64) atomic_uint head_done; /* generation whose carry is complete */
    struct schedule_pieces own;         /* of the tail, in its memory */
    uint64_t pieces;                    /* of the tail that it has drawn, over all generations */
    double speed;                       /* emulated: so much of its own, in (0, 1); 0: its own */
};

struct gemv {
    const struct kernel *kernel;
    size_t m, k, panels, steps;
    size_t units_per_panel, unit_bytes;
    size_t columns, activation_bytes; /* k as the kernel is given it, and bytes of one of its activations */
    size_t together;                  /* panels of the format in one of these */
    uint32_t group_rows;              /* their rows */
    unsigned threads;
    /* [steps * k_per_step], zero past k; int8 in [-127, 127], or f32 in [-1, 1), as the kernel takes */
    int8_t *activations;
    void *source;           /* with an order: activations as they come, [steps * k_per_step] */
    uint16_t *order;        /* of column groups, in which `activations` are then; NULL: the format has none */
    int32_t activation_sum; /* of int8 */
    uint8_t *prepared;      /* or NULL */
    union {                 /* [panels * rows_per_panel] */
        int32_t *y;
        float *y_f32;
    };
    struct gemv_member *members;
    struct schedule_tail tail;             /* no panels: every unit has its member */
    struct schedule_counter *drawn;        /* [threads] of the pieces of each member */
    struct schedule_counter *panel_pieces; /* [tail.panels] done, where panels are cut */
    int32_t *piece_sums;                   /* [tail.pieces][GEMV_ROWS_MAX], where panels are cut */
    unsigned generation;
    size_t prefetch_bytes;
    bool releases_vectors; /* after each call of the kernel, which leaves upper halves of vector registers in use */
    bool borrows;          /* activations, prepared and y are others' too */
    bool as_dealt; /* no drawing: each member has its own pieces of the tail, all in the same calls every time, so that sums
                      of floats are rounded alike */
};

/** Vectors that GEMVs share: of the lengths that gemv_prepare allocates, and padded with zeros as it says. */
struct gemv_vectors {
    void *activations;
    uint8_t *prepared; /* NULL: the kernel has no prepare() */
    void *y;
};

/** Bytes that gemv_prepare allocates, the packed weights not among them. */
uint64_t gemv_working_bytes(const struct kernel *kernel, size_t m, size_t k, unsigned threads);

/** Allocate for this kernel, shape and team size. Activations are random of that seed. 0 or -ENOMEM. */
int gemv_prepare(struct gemv *gemv, const struct kernel *kernel, size_t m, size_t k, unsigned threads, uint64_t seed);

/**
 * The same on vectors of others, which must live as long; who fills the activations calls prepare() and sets
 * activation_sum. 0 or -ENOMEM.
 */
int gemv_prepare_shared(struct gemv *gemv, const struct kernel *kernel, size_t m, size_t k, unsigned threads,
                        const struct gemv_vectors *vectors);
void gemv_release(struct gemv *gemv);

/** Share a prepared GEMV by another schedule than equal shares. 0 or -ENOMEM; gemv_release frees what it allocates. */
int gemv_set_schedule(struct gemv *gemv, const struct schedule *schedule);

/**
 * Emulate a member that has `speed` of its own speed, 0 < speed < 1; 1: its own. After each stretch of its share and each
 * piece it waits, off the memory, until that has taken 1 / speed of its time, as a core would of that share of its clock
 * and of its bandwidth.
 */
void gemv_emulate_speed(struct gemv *gemv, unsigned member, double speed);

/** What the matrix of a kernel is cut at: units of a panel, bytes of one. */
size_t gemv_units_per_panel(const struct kernel *kernel, size_t k);
size_t gemv_unit_bytes(const struct kernel *kernel, size_t k);

/**
 * What of the packed matrix lies in a member's memory, of a GEMV that would be shared like that: its share, and after it its
 * pieces of the tail. Bytes from the beginning of the matrix.
 */
struct gemv_stretches {
    size_t first[2], bytes[2];
};
struct gemv_stretches gemv_stretches_of(const struct kernel *kernel, size_t m, size_t k, unsigned member,
                                        unsigned threads, const struct schedule *schedule);

/** The most of all members that lies in one's memory, of a GEMV that would be shared like that. */
size_t gemv_largest_share(const struct kernel *kernel, size_t m, size_t k, unsigned threads,
                          const struct schedule *schedule);

/** Bytes of packed weights that lie in a member's memory: what it reads, but for pieces of a tail. */
size_t gemv_member_bytes(const struct gemv *gemv, unsigned member);

/**
 * A member's share. All members call it with the same generation, one more than the time before; it returns when the
 * rows that the member owns are complete, but other members may still be at work.
 */
void gemv_run_member(struct gemv *gemv, unsigned member, unsigned generation);

/**
 * Multiply some whole panels of a member's share, from the one numbered `at` on, with weights that lie elsewhere as its own
 * do. Their rows are then of those weights.
 * @return the number of the next one; 0 after the last, and where the share has none
 */
size_t gemv_multiply_stretch(struct gemv *gemv, unsigned member, const uint8_t *weights, size_t at);

/** All rows, those of padding among them; whether the memory after them, of gemv_prepare, was written to. */
void *gemv_results(struct gemv *gemv, size_t *bytes);
bool gemv_overran(const struct gemv *gemv);

/**
 * Compare y with the scalar reference on the weights that the members' pointers name: every panel where that is cheap,
 * else the first, the last, the cut ones and some others, drawn from seed.
 * @return 0 or -ENOMEM; how many rows are wrong is in *check
 */
int gemv_verify(const struct gemv *gemv, uint64_t seed, struct reference_check *check);
