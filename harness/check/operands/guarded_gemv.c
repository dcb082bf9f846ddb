/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/operands/guarded_gemv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"

enum { CANARY_BYTES = 128, CANARY = 0xc5 };

int guarded_gemv_make(struct guarded_gemv *gemv, const struct kernel *kernel, size_t panels, size_t k, int guard_at_end)
{
    const struct format *format = kernel->format;
    *gemv = (struct guarded_gemv){.kernel = kernel, .panels = panels, .k = k, .steps = format_steps(format, k)};
    gemv->rows = panels * format->rows_per_panel;
    gemv->expected = calloc(gemv->rows, sizeof *gemv->expected);
    const struct {
        struct memory_guarded *buffer;
        size_t bytes;
    } wanted[] = {
        {&gemv->weights, panels * format_panel_bytes(format, k) + guarded_lines(kernel->reads_past)},
        {&gemv->activations, guarded_lines(format_columns(format, k) * kernel_activation_bytes(kernel))},
        {&gemv->prepared, guarded_lines(kernel_prepared_bytes(kernel, k))},
        {&gemv->out, gemv->rows * sizeof *gemv->y + CANARY_BYTES},
    };
    int error = gemv->expected ? 0 : -ENOMEM;
    for (size_t i = 0; !error && i < sizeof wanted / sizeof *wanted; i++)
        error = memory_guarded_reserve(wanted[i].bytes, guard_at_end, wanted[i].buffer);
    if (!error)
        error = guarded_ordered_make(&gemv->ordered, kernel, k, 1, guard_at_end);
    if (error) {
        guarded_gemv_release(gemv);
        return error;
    }
    checked_calls_begin();
    gemv->begun = true;
    gemv->y = (int32_t *)(void *)((uint8_t *)gemv->out.bytes + (guard_at_end ? CANARY_BYTES : 0));
    return 0;
}

void guarded_gemv_release(struct guarded_gemv *gemv)
{
    if (gemv->begun)
        checked_calls_end();
    gemv->begun = false;
    memory_guarded_release(&gemv->weights);
    memory_guarded_release(&gemv->activations);
    memory_guarded_release(&gemv->prepared);
    memory_guarded_release(&gemv->out);
    guarded_ordered_release(&gemv->ordered);
    guarded_decoded_release(&gemv->decoded);
    free(gemv->expected);
    gemv->expected = NULL;
}

bool guarded_open(struct guarded_gemv *gemv, struct memory_guarded *operand)
{
    gemv->unsealed |= memory_guarded_seal(operand, false) != 0;
    return !gemv->unsealed;
}

/** Weights, activations and prepared operand, which gemv() only reads. */
static void seal(struct guarded_gemv *gemv)
{
    struct memory_guarded *const read[] = {&gemv->weights, &gemv->activations, &gemv->prepared};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        gemv->unsealed |= memory_guarded_seal(read[i], true) != 0;
}

void guarded_weights_random(struct guarded_gemv *gemv, uint64_t *state)
{
    if (!guarded_open(gemv, &gemv->weights))
        return;
    gemv->decoded.is_current = false;
    guarded_fill_random(gemv->kernel->format, gemv->panels, gemv->k, gemv->weights.bytes, state);
}

int guarded_weights_constant(struct guarded_gemv *gemv, float low, float high)
{
    if (!guarded_open(gemv, &gemv->weights))
        return -ENOMEM;
    gemv->decoded.is_current = false;
    return guarded_fill_constant(gemv->kernel->format, gemv->panels, gemv->k, low, high, gemv->weights.bytes);
}

/** In [-127, 127], of integers. */
static int32_t activation_of(enum activation_fill fill, size_t i, uint64_t *state)
{
    switch (fill) {
    case ALL_LEAST: return -127;
    case ALL_MOST: return 127;
    case ALTERNATING: return i % 2 ? -127 : 127;
    case SPIKES: return (int32_t)(random_bits(state) % (i % 61 ? 7 : 255)) - (i % 61 ? 3 : 127);
    default: return (int32_t)(random_bits(state) % 255) - 127;
    }
}

/** As many more bits as a float has, for kernels that take those. */
static float float_activation(int32_t integer, uint64_t *state)
{
    float fraction = (float)(random_bits(state) >> 40) * 0x1p-25f;
    return (float)integer / 127 * (1 - fraction);
}

void guarded_activations_clear(struct guarded_gemv *gemv)
{
    size_t columns = format_columns(gemv->kernel->format, gemv->k);
    memset(gemv->activations.bytes, 0x55, gemv->activations.length);
    memset(gemv->activations.bytes, 0, columns * kernel_activation_bytes(gemv->kernel));
    gemv->activation_sum = 0;
}

void guarded_activation_put(struct guarded_gemv *gemv, size_t i, float value)
{
    if (gemv->kernel->takes == KERNEL_TAKES_F32) {
        ((float *)gemv->activations.bytes)[i] = value;
        return;
    }
    ((int8_t *)gemv->activations.bytes)[i] = (int8_t)value;
    gemv->activation_sum += (int8_t)value;
}

enum call_fault guarded_activations_prepare(struct guarded_gemv *gemv)
{
    const struct kernel *kernel = gemv->kernel;
    enum call_fault fault = CALL_CLEAN;
    seal(gemv);
    if (kernel->prepare && !guarded_open(gemv, &gemv->prepared))
        return CALL_NO_MEMORY;
    if (kernel->prepare) {
        uint8_t *prepared = gemv->prepared.bytes;
        memset(prepared, CANARY, gemv->prepared.length);
        struct checked_call call = {
            (const void *)(uintptr_t)kernel->prepare,
            {(uintptr_t)gemv->activations.bytes, format_columns(kernel->format, gemv->k), (uintptr_t)prepared, 0}};
        checked_call_report_of(&call, gemv->kernel->isa, &gemv->call);
        fault = gemv->call.fault;
        size_t bytes = kernel_prepared_bytes(kernel, gemv->k);
        if (fault == CALL_CLEAN && !guarded_is_all(prepared + bytes, prepared + gemv->prepared.length, CANARY))
            fault = CALL_WROTE_OUTSIDE;
        const struct guarded_ordered_call ordered = {.activations = gemv->activations.bytes,
                                                     .prepared = prepared,
                                                     .bytes = bytes,
                                                     .behind = gemv->prepared.length - bytes,
                                                     .canary = CANARY};
        if (fault == CALL_CLEAN)
            fault = guarded_ordered_prepare(&gemv->ordered, &ordered, &gemv->call);
    }
    seal(gemv);
    return fault;
}

enum call_fault guarded_activations_fill(struct guarded_gemv *gemv, enum activation_fill fill, uint64_t *state)
{
    if (!guarded_open(gemv, &gemv->activations))
        return CALL_NO_MEMORY;
    guarded_activations_clear(gemv);
    for (size_t i = 0; i < gemv->k; i++) {
        int32_t integer = activation_of(fill, i, state);
        integer = fill == RANDOM_VALUES || fill == SPIKES ? integer : guarded_within(gemv->kernel, i, integer);
        bool integers = gemv->kernel->takes == KERNEL_TAKES_INT8 || fill == ALL_LEAST || fill == ALL_MOST;
        guarded_activation_put(gemv, i, integers ? (float)integer : float_activation(integer, state));
    }
    return guarded_activations_prepare(gemv);
}

void guarded_expect(struct guarded_gemv *gemv)
{
    checked_call_beat();
    guarded_expect_panels(&gemv->decoded, gemv->kernel, gemv->panels, gemv->k, gemv->weights.bytes,
                          gemv->activations.bytes, gemv->prepared.bytes, gemv->expected);
}

void guarded_expect_constant(struct guarded_gemv *gemv, float low, float high)
{
    for (size_t row = 0; row < gemv->rows; row++) {
        bool lower = guarded_row_is_low(gemv->kernel->format, row);
        double y = (double)(lower ? low : high) * gemv->activation_sum;
        gemv->expected[row] = (struct reference_row){.definition = y, .y = y};
    }
}

int32_t guarded_correction(const struct guarded_gemv *gemv)
{
    return -gemv->kernel->format->activation_offset * gemv->activation_sum;
}

struct gemv_slice guarded_slice(const struct guarded_gemv *gemv, size_t first_panel, size_t panels, size_t first_step,
                                size_t steps)
{
    const struct format *format = gemv->kernel->format;
    size_t panel_bytes = format_panel_bytes(format, gemv->k);
    return (struct gemv_slice){
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

enum call_fault guarded_call(struct guarded_gemv *gemv, const struct gemv_slice *slice)
{
    struct checked_call call = {(const void *)(uintptr_t)gemv->kernel->gemv, {(uintptr_t)slice, 0, 0, 0}};
    uint8_t *out = gemv->out.bytes;
    const int32_t *end = slice->out + slice->panels * gemv->kernel->format->rows_per_panel;
    memset(out, CANARY, gemv->out.length);
    checked_call_report_of(&call, gemv->kernel->isa, &gemv->call);
    enum call_fault fault = gemv->unsealed ? CALL_NO_MEMORY : gemv->call.fault;
    bool kept = guarded_is_all(out, (const uint8_t *)slice->out, CANARY) &&
                guarded_is_all((const uint8_t *)end, out + gemv->out.length, CANARY);
    return fault == CALL_CLEAN && !kept ? CALL_WROTE_OUTSIDE : fault;
}

enum call_fault guarded_run_panels(struct guarded_gemv *gemv, size_t first, size_t panels, size_t prefetch_bytes,
                                   struct reference_check *check)
{
    const size_t rows = gemv->kernel->format->rows_per_panel;
    struct gemv_slice slice = guarded_slice(gemv, first, panels, 0, gemv->steps);
    slice.correction = guarded_correction(gemv);
    slice.prefetch_bytes = prefetch_bytes;
    enum call_fault fault = guarded_call(gemv, &slice);
    *check = (struct reference_check){0};
    if (fault == CALL_CLEAN)
        reference_compare(gemv->kernel, gemv->expected + first * rows, panels * rows, slice.out, check);
    return fault;
}

enum call_fault guarded_run(struct guarded_gemv *gemv, size_t panels, size_t prefetch_bytes,
                            struct reference_check *check)
{
    return guarded_run_panels(gemv, 0, panels, prefetch_bytes, check);
}

enum call_fault guarded_cut(struct guarded_gemv *gemv, size_t panel, const size_t *cuts, size_t slices,
                            struct reference_check *check)
{
    uint32_t rows = gemv->kernel->format->rows_per_panel;
    int32_t sums[GUARDED_CUT_ROWS] = {0};
    enum call_fault fault = CALL_CLEAN;
    for (size_t i = 0; fault == CALL_CLEAN && i < slices; i++) {
        struct gemv_slice slice = guarded_slice(gemv, panel, 1, cuts[i], cuts[i + 1] - cuts[i]);
        slice.correction = i == 0 ? guarded_correction(gemv) : 0;
        fault = guarded_call(gemv, &slice);
        for (uint32_t row = 0; fault == CALL_CLEAN && row < rows; row++)
            sums[row] = add_wrapping(sums[row], slice.out[row]);
    }
    *check = (struct reference_check){0};
    if (fault == CALL_CLEAN)
        reference_compare(gemv->kernel, gemv->expected + panel * rows, rows, sums, check);
    return fault;
}
