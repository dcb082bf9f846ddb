/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_GUARDED_GEMV_H
#define HARNESS_GUARDED_GEMV_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/item_tests.h"
#include "harness/junk_call.h"
#include "micro/kernel.h"
#include "platforms/memory.h"

/**
 * For tests only: a packed matrix, activations, prepared operand and output that each end (or begin) at a guard page;
 * the operands are read-only while a kernel runs. Weights past the matrix are never zeroed: padding may hold anything.
 */
struct guarded_gemv {
    const struct kernel *kernel;
    size_t panels, steps, k, rows; /* rows = panels * rows_per_panel */
    struct memory_guarded weights, activations, prepared, out;
    int32_t *y; /* [rows] inside out */
    int32_t activation_sum;
};

enum { CANARY_BYTES = 128, CANARY = 0xc5 };

static size_t to_lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static void guarded_gemv_make(struct guarded_gemv *gemv, const struct kernel *kernel, size_t panels, size_t k,
                              int guard_at_end)
{
    const struct format *format = kernel->format;
    *gemv = (struct guarded_gemv){.kernel = kernel, .panels = panels, .k = k, .steps = format_steps(format, k)};
    gemv->rows = panels * format->rows_per_panel;
    size_t out_bytes = gemv->rows * sizeof *gemv->y;
    assert_int_equal(out_bytes % 64, 0);
    assert_int_equal(format->step_bytes % 64, 0);
    assert_int_equal(memory_guarded_reserve(panels * gemv->steps * format->step_bytes, guard_at_end, &gemv->weights),
                     0);
    assert_int_equal(
        memory_guarded_reserve(to_lines(gemv->steps * format->k_per_step), guard_at_end, &gemv->activations), 0);
    assert_int_equal(
        memory_guarded_reserve(to_lines(gemv->steps * kernel->prepared_bytes_per_step), guard_at_end, &gemv->prepared),
        0);
    assert_int_equal(memory_guarded_reserve(out_bytes + CANARY_BYTES, guard_at_end, &gemv->out), 0);
    gemv->y = (int32_t *)(void *)((uint8_t *)gemv->out.bytes + (guard_at_end ? CANARY_BYTES : 0));
}

static void guarded_gemv_release(struct guarded_gemv *gemv)
{
    memory_guarded_release(&gemv->weights);
    memory_guarded_release(&gemv->activations);
    memory_guarded_release(&gemv->prepared);
    memory_guarded_release(&gemv->out);
}

static void protect(const struct memory_guarded *buffer, int protection)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    assert_int_equal(mprotect((uint8_t *)buffer->mapping + page, buffer->mapped - 2 * page, protection), 0);
}

static void open_operands(struct guarded_gemv *gemv)
{
    protect(&gemv->weights, PROT_READ | PROT_WRITE);
    protect(&gemv->activations, PROT_READ | PROT_WRITE);
    protect(&gemv->prepared, PROT_READ | PROT_WRITE);
}

/** Every bit pattern is a valid matrix. */
static void weights_random(struct guarded_gemv *gemv, uint64_t *state)
{
    uint64_t *words = gemv->weights.bytes;
    open_operands(gemv);
    for (size_t i = 0; i < gemv->weights.length / sizeof *words; i++)
        words[i] = draw(state);
}

enum activation_fill { ALL_LEAST, ALL_MOST, ALTERNATING, RANDOM_VALUES, ACTIVATION_FILLS };

static int8_t activation_of(enum activation_fill fill, size_t i, uint64_t *state)
{
    switch (fill) {
    case ALL_LEAST: return -127;
    case ALL_MOST: return 127;
    case ALTERNATING: return i % 2 ? -127 : 127;
    default: return (int8_t)((int)(draw(state) % 255) - 127);
    }
}

/** Activations up to k, zeros to the end of the last step, junk up to what is only readable; then prepare() and seal.
 */
static enum call_fault activations_fill(struct guarded_gemv *gemv, enum activation_fill fill, uint64_t *state)
{
    const struct kernel *kernel = gemv->kernel;
    int8_t *activations = gemv->activations.bytes;
    enum call_fault fault = CALL_CLEAN;
    open_operands(gemv);
    memset(activations, 0x55, gemv->activations.length);
    memset(activations, 0, gemv->steps * kernel->format->k_per_step);
    gemv->activation_sum = 0;
    for (size_t i = 0; i < gemv->k; i++) {
        activations[i] = activation_of(fill, i, state);
        gemv->activation_sum += activations[i];
    }
    protect(&gemv->weights, PROT_READ);
    protect(&gemv->activations, PROT_READ);
    if (kernel->prepare) {
        uint8_t *prepared = gemv->prepared.bytes;
        memset(prepared, CANARY, gemv->prepared.length);
        struct junk_call call = {(const void *)(uintptr_t)kernel->prepare,
                                 {(uintptr_t)activations, gemv->steps, (uintptr_t)prepared, 0}};
        fault = junk_call(&call);
        for (size_t i = gemv->steps * kernel->prepared_bytes_per_step; i < gemv->prepared.length; i++)
            fault = fault == CALL_CLEAN && prepared[i] != CANARY ? CALL_WROTE_OUTSIDE : fault;
    }
    protect(&gemv->prepared, PROT_READ);
    return fault;
}

static int32_t correction_of(const struct guarded_gemv *gemv)
{
    return -gemv->kernel->format->activation_offset * gemv->activation_sum;
}

/** `steps` steps from first_step on, of `panels` panels from first_panel on; results go to the rows of those panels. */
static struct gemv_piece guarded_piece(const struct guarded_gemv *gemv, size_t first_panel, size_t panels,
                                       size_t first_step, size_t steps)
{
    const struct format *format = gemv->kernel->format;
    return (struct gemv_piece){
        .weights = (const uint8_t *)gemv->weights.bytes + (first_panel * gemv->steps + first_step) * format->step_bytes,
        .panels = panels,
        .panel_bytes = gemv->steps * format->step_bytes,
        .steps = steps,
        .activations = (const int8_t *)gemv->activations.bytes + first_step * format->k_per_step,
        .prepared = gemv->kernel->prepare
                        ? (const uint8_t *)gemv->prepared.bytes + first_step * gemv->kernel->prepared_bytes_per_step
                        : NULL,
        .out = gemv->y + first_panel * format->rows_per_panel,
        .prefetch_bytes = gemv->kernel->prefetch_bytes,
    };
}

/** Run one piece; everything around its output must stay as it was. */
static enum call_fault guarded_call(struct guarded_gemv *gemv, const struct gemv_piece *piece)
{
    struct junk_call call = {(const void *)(uintptr_t)gemv->kernel->gemv, {(uintptr_t)piece, 0, 0, 0}};
    uint8_t *out = gemv->out.bytes;
    size_t first = (size_t)((uint8_t *)piece->out - out);
    size_t end = first + piece->panels * gemv->kernel->format->rows_per_panel * sizeof *piece->out;
    memset(out, CANARY, gemv->out.length);
    enum call_fault fault = junk_call(&call);
    for (size_t i = 0; i < gemv->out.length; i++) {
        if ((i < first || i >= end) && out[i] != CANARY && fault == CALL_CLEAN)
            return CALL_WROTE_OUTSIDE;
    }
    return fault;
}

/** All panels at once, with the correction; then compare. @return rows that differ; fails on any other fault */
static enum call_fault guarded_run(struct guarded_gemv *gemv, size_t panels, size_t prefetch_bytes,
                                   const int32_t *expected, size_t *wrong)
{
    struct gemv_piece piece = guarded_piece(gemv, 0, panels, 0, gemv->steps);
    piece.correction = correction_of(gemv);
    piece.prefetch_bytes = prefetch_bytes;
    enum call_fault fault = guarded_call(gemv, &piece);
    *wrong = 0;
    for (size_t row = 0; fault == CALL_CLEAN && row < panels * gemv->kernel->format->rows_per_panel; row++)
        *wrong += gemv->y[row] != expected[row];
    return fault;
}

#endif
