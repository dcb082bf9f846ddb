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

/**
 * A packed matrix, activations, prepared operand and output that each end (or begin) at a guard page; the operands are
 * read-only while a kernel runs. Weights past the matrix are never zeroed: padding may hold anything. For the tests of
 * our kernels and for the check of those that a plug-in brings.
 */
struct guarded_gemv {
    const struct kernel *kernel;
    size_t panels, steps, k, rows; /* rows = panels * rows_per_panel */
    struct memory_guarded weights, activations, prepared, out;
    struct guarded_ordered ordered; /* what prepare() writes is compared with what ordered.prepare() does */
    int32_t *y;                     /* [rows] inside out; the bits of floats where the kernel gives those */
    int32_t activation_sum;
    struct guarded_decoded decoded;
    struct reference_row *expected;  /* [rows]; guarded_expect fills it */
    struct checked_call_report call; /* of the last call of prepare() or gemv() */
    bool unsealed;                   /* the operands could not be protected: every call is CALL_NO_MEMORY */
    bool begun;                      /* checked_calls_begin() */
};

/** 0, or -ENOMEM with nothing to release. */
int guarded_gemv_make(struct guarded_gemv *gemv, const struct kernel *kernel, size_t panels, size_t k, int guard_at_end)
    __attribute__((warn_unused_result));
void guarded_gemv_release(struct guarded_gemv *gemv);

/** Let one of its operands be written, until guarded_activations_prepare(); whether it can be. */
bool guarded_open(struct guarded_gemv *gemv, struct memory_guarded *operand);
void guarded_weights_random(struct guarded_gemv *gemv, uint64_t *state);

/** `low` in the lower half of each panel's rows, `high` in the upper half; in turn where a panel is one row. 0 or
 * -ENOMEM. */
int guarded_weights_constant(struct guarded_gemv *gemv, float low, float high);

/** The last: a few large ones among small ones, which one scale for all of them does not serve. */
enum activation_fill { ALL_LEAST, ALL_MOST, ALTERNATING, RANDOM_VALUES, SPIKES, ACTIVATION_FILLS };

/** What kernels may read past the columns but must not use. */
void guarded_activations_clear(struct guarded_gemv *gemv);
/** One activation as the kernel takes it. */
void guarded_activation_put(struct guarded_gemv *gemv, size_t i, float value);
/** prepare(), and seal the operands. */
enum call_fault guarded_activations_prepare(struct guarded_gemv *gemv);
/**
 * Activations up to k, zeros to the end of the last step, junk up to what is only readable; then prepare() and seal.
 */
enum call_fault guarded_activations_fill(struct guarded_gemv *gemv, enum activation_fill fill, uint64_t *state);

/** What every row must be, from the packed bytes. */
void guarded_expect(struct guarded_gemv *gemv);

/** The same after guarded_weights_constant(low, high) of integer weights, by their sum alone: of use where K is large. */
void guarded_expect_constant(struct guarded_gemv *gemv, float low, float high);

/** What is added to every row of an offset-binary format. */
int32_t guarded_correction(const struct guarded_gemv *gemv);

/** `steps` steps from first_step on, of `panels` panels from first_panel on; results go to the rows of those panels. */
struct gemv_slice guarded_slice(const struct guarded_gemv *gemv, size_t first_panel, size_t panels, size_t first_step,
                                size_t steps);

/** Run one slice; everything around its output must stay as it was. */
enum call_fault guarded_call(struct guarded_gemv *gemv, const struct gemv_slice *slice);

/** The first panels at once, with the correction; *check compares them with what was expected. */
enum call_fault guarded_run(struct guarded_gemv *gemv, size_t panels, size_t prefetch_bytes,
                            struct reference_check *check);

/** The same of panels from `first` on: the last ones end at guard pages after the operands, whatever their number. */
enum call_fault guarded_run_panels(struct guarded_gemv *gemv, size_t first, size_t panels, size_t prefetch_bytes,
                                   struct reference_check *check);

/** One panel of at most GUARDED_CUT_ROWS rows in slices along K, added; the correction goes into the first of them. */
enum { GUARDED_CUT_ROWS = 512 };
enum call_fault guarded_cut(struct guarded_gemv *gemv, size_t panel, const size_t *cuts, size_t slices,
                            struct reference_check *check);
