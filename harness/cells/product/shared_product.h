/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/cells/product/product_cell.h"
#include "harness/cells/product/product_work.h"
#include "harness/team/gemm.h"
#include "harness/team/gemv.h"
#include "harness/team/schedule.h"
#include "micro/reference.h"

/* ---- before there is one ---- */

size_t shared_largest_share(const struct product_work *work, const struct schedule *schedule);
/** Bytes that it allocates. */
uint64_t shared_working_bytes(const struct product_work *work);
/** Repeats with which a warm sample lasts some 50 us; 1 of a cold one. */
unsigned shared_repeats(const struct product_work *work, size_t largest_share);

/** A GEMV or a GEMM of harness/team, which must live as long. Functions that only one of the two has do nothing for the other. */
struct shared_product {
    struct gemv *gemv; /* NULL: a GEMM */
    struct gemm *gemm; /* NULL: a GEMV */
    size_t k;          /* columns of the packed matrix */
};

/** Allocate, draw the activations from the seed, and set what the settings say. 0 or -ENOMEM */
int shared_prepare(const struct shared_product *product, const struct product_work *work,
                   const struct product_settings *settings, uint64_t seed);
/** One that is zeroed, too. */
void shared_release(const struct shared_product *product);

/** 0 or negative errno. */
int shared_set_schedule(const struct shared_product *product, const struct schedule *schedule);
void shared_emulate_speed(const struct shared_product *product, unsigned member, double speed);
/** By each member before it first runs, 0 or -ENOMEM. */
int shared_touch(const struct shared_product *product, unsigned member);
/** Of all members. */
uint64_t shared_scratch_bytes(const struct shared_product *product);
/** Of weights that lie in a member's memory, and where they are. */
size_t shared_bytes(const struct shared_product *product, unsigned member);
void shared_place(const struct shared_product *product, unsigned member, const uint8_t *weights);

/** Once, without a barrier. */
void shared_run(const struct shared_product *product, unsigned member, unsigned generation);
/** As gemv_multiply_stretch: where the next stretch of the member's share begins, 0 after the last. */
size_t shared_go_on(const struct shared_product *product, unsigned member, const uint8_t *weights, size_t at);

/** 0 or -ENOMEM. */
int shared_verify(const struct shared_product *product, uint64_t seed, struct reference_check *check);
/** All of them. */
void *shared_results(const struct shared_product *product, size_t *bytes);
/** Whether something was written after them. */
bool shared_overran(const struct shared_product *product);
/** From now on members do not draw from the tail, so that results are the same every time, or they do again. */
void shared_deal(const struct shared_product *product, bool as_dealt);
/** After each call from now on: the kernel leaves them in use. */
void shared_release_vectors(const struct shared_product *product);

/** The tail, and its pieces that a member has drawn. */
struct schedule_tail shared_tail(const struct shared_product *product);
uint64_t shared_pieces(const struct shared_product *product, unsigned member);
