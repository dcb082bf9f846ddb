/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_GUARDED_GEMV_H
#define HARNESS_GUARDED_GEMV_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/item_tests.h"
#include "harness/junk_call.h"
#include "micro/reference.h"
#include "platforms/memory.h"

/**
 * For tests only: a packed matrix, activations, prepared operand and output that each end (or begin) at a guard page;
 * the operands are read-only while a kernel runs. Weights past the matrix are never zeroed: padding may hold anything.
 */
struct guarded_gemv {
    const struct kernel *kernel;
    size_t panels, steps, k, rows; /* rows = panels * rows_per_panel */
    struct memory_guarded weights, activations, prepared, out;
    int32_t *y; /* [rows] inside out; the bits of floats where the kernel gives those */
    int32_t activation_sum;
    struct reference_row *expected; /* [rows]; expect() fills it */
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
    size_t activation_bytes = to_lines(format_columns(format, k) * kernel_activation_bytes(kernel));
    size_t weight_bytes = panels * format_panel_bytes(format, k);
    assert_int_equal(memory_guarded_reserve(weight_bytes, guard_at_end, &gemv->weights), 0);
    assert_int_equal(memory_guarded_reserve(activation_bytes, guard_at_end, &gemv->activations), 0);
    assert_int_equal(memory_guarded_reserve(to_lines(kernel_prepared_bytes(kernel, k)), guard_at_end, &gemv->prepared),
                     0);
    assert_int_equal(memory_guarded_reserve(out_bytes + CANARY_BYTES, guard_at_end, &gemv->out), 0);
    gemv->y = (int32_t *)(void *)((uint8_t *)gemv->out.bytes + (guard_at_end ? CANARY_BYTES : 0));
    gemv->expected = calloc(gemv->rows, sizeof *gemv->expected);
    assert_non_null(gemv->expected);
}

static void guarded_gemv_release(struct guarded_gemv *gemv)
{
    memory_guarded_release(&gemv->weights);
    memory_guarded_release(&gemv->activations);
    memory_guarded_release(&gemv->prepared);
    memory_guarded_release(&gemv->out);
    free(gemv->expected);
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

static void weights_random(struct guarded_gemv *gemv, uint64_t *state)
{
    const struct format *format = gemv->kernel->format;
    open_operands(gemv);
    format_fill(format, gemv->weights.bytes, gemv->panels * (format_is_uniform(format) ? gemv->steps : 1), gemv->k,
                state);
}

/** The last: a few large ones among small ones, which one scale for all of them does not serve. */
enum activation_fill { ALL_LEAST, ALL_MOST, ALTERNATING, RANDOM_VALUES, SPIKES, ACTIVATION_FILLS };

/** In [-127, 127], of integers. */
static int32_t activation_of(enum activation_fill fill, size_t i, uint64_t *state)
{
    switch (fill) {
    case ALL_LEAST: return -127;
    case ALL_MOST: return 127;
    case ALTERNATING: return i % 2 ? -127 : 127;
    case SPIKES: return (int32_t)(draw(state) % (i % 61 ? 7 : 255)) - (i % 61 ? 3 : 127);
    default: return (int32_t)(draw(state) % 255) - 127;
    }
}

/** As many more bits as a float has, for kernels that take those. */
static float float_activation(int32_t integer, uint64_t *state)
{
    float fraction = (float)(draw(state) >> 40) * 0x1p-25f;
    return (float)integer / 127 * (1 - fraction);
}

/** What kernels may read but must not use, behind the columns. */
static void activations_clear(struct guarded_gemv *gemv)
{
    size_t columns = format_columns(gemv->kernel->format, gemv->k);
    memset(gemv->activations.bytes, 0x55, gemv->activations.length);
    memset(gemv->activations.bytes, 0, columns * kernel_activation_bytes(gemv->kernel));
    gemv->activation_sum = 0;
}

/** One activation as the kernel takes it. */
static void activation_put(struct guarded_gemv *gemv, size_t i, float value)
{
    if (gemv->kernel->takes == KERNEL_TAKES_F32) {
        ((float *)gemv->activations.bytes)[i] = value;
        return;
    }
    ((int8_t *)gemv->activations.bytes)[i] = (int8_t)value;
    gemv->activation_sum += (int8_t)value;
}

/** prepare(), and seal the operands. */
static enum call_fault activations_prepare(struct guarded_gemv *gemv)
{
    const struct kernel *kernel = gemv->kernel;
    enum call_fault fault = CALL_CLEAN;
    protect(&gemv->weights, PROT_READ);
    protect(&gemv->activations, PROT_READ);
    if (kernel->prepare) {
        uint8_t *prepared = gemv->prepared.bytes;
        memset(prepared, CANARY, gemv->prepared.length);
        struct junk_call call = {
            (const void *)(uintptr_t)kernel->prepare,
            {(uintptr_t)gemv->activations.bytes, format_columns(kernel->format, gemv->k), (uintptr_t)prepared, 0}};
        fault = junk_call(&call);
        for (size_t i = kernel_prepared_bytes(kernel, gemv->k); i < gemv->prepared.length; i++)
            fault = fault == CALL_CLEAN && prepared[i] != CANARY ? CALL_WROTE_OUTSIDE : fault;
    }
    protect(&gemv->prepared, PROT_READ);
    return fault;
}

/** Activations up to k, zeros to the end of the last step, junk up to what is only readable; then prepare() and seal.
 */
static enum call_fault activations_fill(struct guarded_gemv *gemv, enum activation_fill fill, uint64_t *state)
{
    open_operands(gemv);
    activations_clear(gemv);
    for (size_t i = 0; i < gemv->k; i++) {
        int32_t integer = activation_of(fill, i, state);
        bool integers = gemv->kernel->takes == KERNEL_TAKES_INT8 || fill == ALL_LEAST || fill == ALL_MOST;
        activation_put(gemv, i, integers ? (float)integer : float_activation(integer, state));
    }
    return activations_prepare(gemv);
}

/** What every row must be, from the packed bytes. */
static void expect(struct guarded_gemv *gemv)
{
    uint32_t rows = gemv->kernel->format->rows_per_panel;
    size_t panel_bytes = format_panel_bytes(gemv->kernel->format, gemv->k);
    for (size_t panel = 0; panel < gemv->panels; panel++)
        reference_rows(gemv->kernel, (const uint8_t *)gemv->weights.bytes + panel * panel_bytes, gemv->k, rows,
                       gemv->activations.bytes, gemv->prepared.bytes, gemv->expected + panel * rows);
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
    size_t panel_bytes = format_panel_bytes(format, gemv->k);
    return (struct gemv_piece){
        .weights = (const uint8_t *)gemv->weights.bytes + first_panel * panel_bytes + first_step * format->step_bytes,
        .panels = panels,
        .panel_bytes = panel_bytes,
        .steps = steps,
        .k = steps * format->k_per_step,
        .activations = (const int8_t *)gemv->activations.bytes +
                       first_step * format->k_per_step * kernel_activation_bytes(gemv->kernel),
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

/** The first panels at once, with the correction; *check compares them with what was expected. */
static enum call_fault guarded_run(struct guarded_gemv *gemv, size_t panels, size_t prefetch_bytes,
                                   struct reference_check *check)
{
    struct gemv_piece piece = guarded_piece(gemv, 0, panels, 0, gemv->steps);
    piece.correction = correction_of(gemv);
    piece.prefetch_bytes = prefetch_bytes;
    enum call_fault fault = guarded_call(gemv, &piece);
    *check = (struct reference_check){0};
    if (fault == CALL_CLEAN)
        reference_compare(gemv->kernel, gemv->expected, panels * gemv->kernel->format->rows_per_panel, gemv->y, check);
    return fault;
}

#endif
