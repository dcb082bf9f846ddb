/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/operands/guarded_gemm.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"

/* Of floats -6328.7, of scratch not a number and -1. */
enum { CANARY_BYTES = 128, CANARY = 0xc5, SCRATCH_JUNK = 0xff, UNREAD_JUNK = 0x55 };

static size_t stride_bytes(const struct guarded_gemm *gemm)
{
    return gemm->stride * kernel_activation_bytes(gemm->kernel);
}

/** Up to where the activations of the last of this many tokens may be read. */
static size_t activation_bytes(const struct guarded_gemm *gemm, size_t tokens)
{
    size_t columns = format_columns(gemm->kernel->format, gemm->k);
    return (tokens - 1) * stride_bytes(gemm) + guarded_lines(columns * kernel_activation_bytes(gemm->kernel));
}

static size_t out_bytes(const struct guarded_gemm *gemm, size_t panels, size_t tokens)
{
    size_t rows = panels * gemm->kernel->format->rows_per_panel;
    return ((tokens - 1) * gemm->out_stride + rows) * sizeof(float);
}

/** The part of an operand, of this many bytes, that lies at the guard page. */
static uint8_t *at_guard(const struct guarded_gemm *gemm, const struct memory_guarded *buffer, size_t bytes)
{
    return (uint8_t *)buffer->bytes + (gemm->at_end ? buffer->length - bytes : 0);
}

int guarded_gemm_make(struct guarded_gemm *gemm, const struct kernel *kernel, size_t panels, size_t k, size_t tokens,
                      int guard_at_end)
{
    const struct format *format = kernel->format;
    size_t rows = panels * format->rows_per_panel, element = kernel_activation_bytes(kernel);
    /* the longest stride has room beside what is read and written, the shortest has not */
    size_t room = guard_at_end ? 64 : 0;
    *gemm = (struct guarded_gemm){
        .kernel = kernel,
        .panels = panels,
        .k = k,
        .rows = rows,
        .tokens = tokens,
        .stride = (guarded_lines(format_columns(format, k) * element) + room) / element,
        .out_stride = (guarded_lines(rows * sizeof(float)) + room) / sizeof(float),
        .at_end = guard_at_end,
        .called = "gemm.run()",
    };
    gemm->expected = calloc(tokens * rows, sizeof *gemm->expected);
    const struct {
        struct memory_guarded *buffer;
        size_t bytes;
    } wanted[] = {
        {&gemm->weights, panels * format_panel_bytes(format, k) + guarded_lines(kernel->reads_past)},
        {&gemm->activations, activation_bytes(gemm, tokens)},
        {&gemm->operand, guarded_lines(kernel_prepared_bytes(kernel, k))},
        {&gemm->prepared, guarded_lines(kernel_gemm_prepared_bytes(kernel, k, tokens))},
        {&gemm->scales, tokens * sizeof(float)},
        {&gemm->corrections, tokens * sizeof(int32_t)},
        {&gemm->out, out_bytes(gemm, panels, tokens) + CANARY_BYTES},
        {&gemm->scratch, guarded_lines(kernel_gemm_scratch_bytes(kernel, k, tokens)) + CANARY_BYTES},
    };
    int error = gemm->expected ? 0 : -ENOMEM;
    for (size_t i = 0; !error && i < sizeof wanted / sizeof *wanted; i++)
        error = memory_guarded_reserve(wanted[i].bytes, guard_at_end, wanted[i].buffer);
    if (!error)
        error = guarded_ordered_make(&gemm->ordered, kernel, k, tokens, guard_at_end);
    if (error) {
        guarded_gemm_release(gemm);
        return error;
    }
    checked_calls_begin();
    gemm->begun = true;
    return 0;
}

void guarded_gemm_release(struct guarded_gemm *gemm)
{
    if (gemm->begun)
        checked_calls_end();
    gemm->begun = false;
    struct memory_guarded *const buffers[] = {&gemm->weights, &gemm->activations, &gemm->operand, &gemm->prepared,
                                              &gemm->scales,  &gemm->corrections, &gemm->out,     &gemm->scratch};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        memory_guarded_release(buffers[i]);
    guarded_ordered_release(&gemm->ordered);
    free(gemm->expected);
    guarded_decoded_release(&gemm->decoded);
    gemm->expected = NULL;
}

/** @return whether an operand can be written */
static bool open_operand(struct guarded_gemm *gemm, struct memory_guarded *operand)
{
    gemm->unsealed |= memory_guarded_seal(operand, false) != 0;
    return !gemm->unsealed;
}

/** What run() only reads. */
static void seal(struct guarded_gemm *gemm)
{
    struct memory_guarded *const read[] = {&gemm->weights, &gemm->activations, &gemm->prepared, &gemm->scales,
                                           &gemm->corrections};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        gemm->unsealed |= memory_guarded_seal(read[i], true) != 0;
}

void guarded_gemm_weights_random(struct guarded_gemm *gemm, uint64_t *state)
{
    if (!open_operand(gemm, &gemm->weights))
        return;
    guarded_fill_random(gemm->kernel->format, gemm->panels, gemm->k, gemm->weights.bytes, state);
    gemm->decoded.is_current = false;
}

int guarded_gemm_weights_constant(struct guarded_gemm *gemm, float low, float high)
{
    if (!open_operand(gemm, &gemm->weights))
        return -ENOMEM;
    gemm->decoded.is_current = false;
    return guarded_fill_constant(gemm->kernel->format, gemm->panels, gemm->k, low, high, gemm->weights.bytes);
}

/* ---- tokens ---- */

static bool is_random(enum token_pattern pattern)
{
    return pattern == TOKEN_RANDOM || pattern == TOKEN_RANDOM_TOO || pattern == TOKEN_SPIKES;
}

/** In [-128, 127]. */
static int32_t integer_at(enum token_pattern pattern, size_t column, uint64_t *state)
{
    switch (pattern) {
    case TOKEN_LEAST: return -127;
    case TOKEN_MOST: return 127;
    case TOKEN_ZEROS: return 0;
    case TOKEN_LOWEST: return -128;
    case TOKEN_SPIKES: return (int32_t)(random_bits(state) % (column % 61 ? 7 : 255)) - (column % 61 ? 3 : 127);
    case TOKEN_RANDOM:
    case TOKEN_RANDOM_TOO: return (int32_t)(random_bits(state) % 255) - 127;
    default: return column >> (pattern - TOKEN_RUNS_1) & 1 ? -127 : 127;
    }
}

static void *activations_of(const struct guarded_gemm *gemm, size_t token)
{
    return (uint8_t *)gemm->activations.bytes + token * stride_bytes(gemm);
}

/** The activations of one token, and its correction. */
static void put_token(struct guarded_gemm *gemm, size_t token, enum token_pattern pattern, uint64_t *state)
{
    bool floats = gemm->kernel->takes == KERNEL_TAKES_F32;
    void *activations = activations_of(gemm, token);
    int32_t sum = 0;
    memset(activations, 0, format_columns(gemm->kernel->format, gemm->k) * kernel_activation_bytes(gemm->kernel));
    for (size_t column = 0; column < gemm->k; column++) {
        int32_t integer = integer_at(pattern, column, state);
        integer = is_random(pattern) ? integer : guarded_within(gemm->kernel, column, integer);
        if (floats && is_random(pattern)) /* as many more bits as a float has */
            ((float *)activations)[column] = (float)integer / 127 * (1 - (float)(random_bits(state) >> 40) * 0x1p-25f);
        else if (floats)
            ((float *)activations)[column] = (float)integer;
        else
            ((int8_t *)activations)[column] = (int8_t)integer;
        sum += integer;
    }
    ((int32_t *)gemm->corrections.bytes)[token] = -gemm->kernel->format->activation_offset * sum;
    ((float *)gemm->scales.bytes)[token] = 0x1p-12f + (float)(random_bits(state) >> 40) * 0x1p-24f;
}

static void call(struct guarded_gemm *gemm, const struct checked_call *call, const char *called)
{
    gemm->called = called;
    checked_call_report_of(call, gemm->kernel->isa, &gemm->call);
    if (gemm->unsealed)
        gemm->call.fault = CALL_NO_MEMORY;
}

/** Whether all bytes of a buffer from one on are the canary's. */
static bool is_kept(const struct memory_guarded *buffer, const uint8_t *from, uint8_t canary)
{
    return guarded_is_all(from, (const uint8_t *)buffer->bytes + buffer->length, canary);
}

/** The operand that row() reads, by the kernel's prepare() of this one token. */
static enum call_fault prepare_one(struct guarded_gemm *gemm, size_t token)
{
    const struct kernel *kernel = gemm->kernel;
    if (!kernel->row)
        return CALL_CLEAN;
    uint8_t *operand = gemm->operand.bytes;
    memset(operand, CANARY, gemm->operand.length);
    const struct checked_call prepare = {
        (const void *)(uintptr_t)kernel->prepare,
        {(uintptr_t)activations_of(gemm, token), format_columns(kernel->format, gemm->k), (uintptr_t)operand, 0, 0}};
    call(gemm, &prepare, "prepare()");
    return gemm->call.fault != CALL_CLEAN                                                      ? gemm->call.fault
           : is_kept(&gemm->operand, operand + kernel_prepared_bytes(kernel, gemm->k), CANARY) ? CALL_CLEAN
                                                                                               : CALL_WROTE_OUTSIDE;
}

/** How many tokens before this one lies one with the same activations: the next before it, or the one whose turn the pattern was; 0: neither. */
static size_t token_repeats(const struct guarded_gemm *gemm, size_t token)
{
    static const size_t distances[] = {1, TOKEN_PATTERNS};
    const uint8_t *activations = activations_of(gemm, token);
    size_t read = format_columns(gemm->kernel->format, gemm->k) * kernel_activation_bytes(gemm->kernel);
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        if (distances[i] <= token && memcmp(activations, activations_of(gemm, token - distances[i]), read) == 0)
            return distances[i];
    }
    return 0;
}

/** What the rows of one token must be; those of a token like an earlier one are the same. */
static void expect_token(struct guarded_gemm *gemm, size_t token)
{
    struct reference_row *expected = gemm->expected + token * gemm->rows;
    const size_t before = token_repeats(gemm, token);
    if (before)
        memcpy(expected, expected - before * gemm->rows, gemm->rows * sizeof *expected);
    else
        guarded_expect_panels(&gemm->decoded, gemm->kernel, gemm->panels, gemm->k, gemm->weights.bytes,
                              activations_of(gemm, token), gemm->operand.bytes, expected);
}

static enum call_fault expect(struct guarded_gemm *gemm)
{
    enum call_fault fault = CALL_CLEAN;
    for (size_t token = 0; fault == CALL_CLEAN && token < gemm->tokens; token++) {
        fault = prepare_one(gemm, token);
        if (fault == CALL_CLEAN)
            expect_token(gemm, token);
    }
    return fault;
}

static void put_tokens(struct guarded_gemm *gemm, enum token_pattern first, size_t step, uint64_t *state)
{
    gemm->prepared_tokens = 0;
    gemm->is_constant = false;
    if (!open_operand(gemm, &gemm->activations) || !open_operand(gemm, &gemm->scales) ||
        !open_operand(gemm, &gemm->corrections))
        return;
    memset(gemm->activations.bytes, UNREAD_JUNK, gemm->activations.length);
    for (size_t token = 0; token < gemm->tokens; token++)
        put_token(gemm, token, step ? (enum token_pattern)((first + token * step) % TOKEN_PATTERNS) : first, state);
}

enum call_fault guarded_gemm_tokens(struct guarded_gemm *gemm, enum token_pattern first, uint64_t *state)
{
    put_tokens(gemm, first, 1, state);
    return expect(gemm);
}

enum call_fault guarded_gemm_tokens_same(struct guarded_gemm *gemm, enum token_pattern pattern, uint64_t *state)
{
    put_tokens(gemm, pattern, 0, state);
    return expect(gemm);
}

void guarded_gemm_tokens_constant(struct guarded_gemm *gemm, enum token_pattern pattern, float low, float high)
{
    uint64_t state = 1;
    int64_t sum = 0;
    if (!gemm->is_constant || gemm->constant != pattern)
        put_tokens(gemm, pattern, 0, &state);
    gemm->is_constant = true;
    gemm->constant = pattern;
    for (size_t column = 0; column < gemm->k; column++)
        sum += ((const int8_t *)gemm->activations.bytes)[column];
    for (size_t i = 0; i < gemm->tokens * gemm->rows; i++) {
        float weight = guarded_row_is_low(gemm->kernel->format, i % gemm->rows) ? low : high;
        double y = (double)weight * (double)sum;
        gemm->expected[i] = (struct reference_row){.definition = y, .y = y};
    }
}

/* ---- calls ---- */

/** Those of a call of this many tokens, unless the call before had as many of the same activations. */
static enum call_fault prepare_groups(struct guarded_gemm *gemm, size_t first, size_t tokens)
{
    const struct kernel_gemm *entry = &gemm->kernel->gemm;
    if (!entry->prepare_many || gemm->prepared_tokens == tokens)
        return CALL_CLEAN;
    gemm->prepared_tokens = 0;
    if (!open_operand(gemm, &gemm->prepared))
        return CALL_NO_MEMORY;
    size_t columns = format_columns(gemm->kernel->format, gemm->k), group_bytes = entry->prepared_bytes(columns);
    size_t bytes = guarded_lines(kernel_gemm_prepared_bytes(gemm->kernel, gemm->k, tokens));
    uint8_t *prepared = at_guard(gemm, &gemm->prepared, bytes);
    enum call_fault fault = CALL_CLEAN;
    /* once for all groups: what one writes past its end is seen before the next is made */
    memset(prepared, CANARY, (size_t)((uint8_t *)gemm->prepared.bytes + gemm->prepared.length - prepared));
    for (size_t token = 0; fault == CALL_CLEAN && token < tokens; token += entry->tokens_per_group) {
        size_t count = tokens - token < entry->tokens_per_group ? tokens - token : entry->tokens_per_group;
        uint8_t *group = prepared + token / entry->tokens_per_group * group_bytes;
        const struct checked_call prepare = {
            (const void *)(uintptr_t)entry->prepare_many,
            {(uintptr_t)activations_of(gemm, first + token), gemm->stride, columns, count, (uintptr_t)group}};
        call(gemm, &prepare, "gemm.prepare_many()");
        fault = gemm->call.fault;
        if (fault == CALL_CLEAN && !is_kept(&gemm->prepared, group + group_bytes, CANARY))
            fault = CALL_WROTE_OUTSIDE;
        const struct guarded_ordered_call ordered = {
            .activations = activations_of(gemm, first + token),
            .stride = gemm->stride,
            .tokens = count,
            .prepared = group,
            .bytes = group_bytes,
            .behind = (size_t)((uint8_t *)gemm->prepared.bytes + gemm->prepared.length - group) - group_bytes,
            .canary = CANARY};
        if (fault == CALL_CLEAN)
            fault = guarded_ordered_prepare(&gemm->ordered, &ordered, &gemm->call);
    }
    gemm->prepared_tokens = fault == CALL_CLEAN ? tokens : 0;
    return fault;
}

struct shape_of_call {
    size_t panels, tokens, first_panel, first_token;
};

static struct shape_of_call shape_of(const struct guarded_gemm *gemm, size_t panels, size_t tokens)
{
    return (struct shape_of_call){panels, tokens, gemm->at_end ? gemm->panels - panels : 0,
                                  gemm->at_end ? gemm->tokens - tokens : 0};
}

const char *guarded_gemm_token_name(const struct guarded_gemm *gemm, enum token_pattern first, size_t tokens,
                                    size_t token)
{
    static const char *const names[TOKEN_PATTERNS] = {
        [TOKEN_LEAST] = "all -127",
        [TOKEN_MOST] = "all 127",
        [TOKEN_RANDOM] = "random",
        [TOKEN_RUNS_1] = "127 and -127 in turns",
        [TOKEN_RUNS_2] = "two 127 and two -127 in turns",
        [TOKEN_RUNS_4] = "four 127 and four -127 in turns",
        [TOKEN_RUNS_8] = "8 times 127 and 8 times -127 in turns",
        [TOKEN_RUNS_16] = "16 times 127 and 16 times -127 in turns",
        [TOKEN_RUNS_32] = "32 times 127 and 32 times -127 in turns",
        [TOKEN_RUNS_64] = "64 times 127 and 64 times -127 in turns",
        [TOKEN_SPIKES] = "a few large ones",
        [TOKEN_ZEROS] = "all 0",
        [TOKEN_RANDOM_TOO] = "random",
    };
    return names[(first + shape_of(gemm, 1, tokens).first_token + token) % TOKEN_PATTERNS];
}

static float *out_of(const struct guarded_gemm *gemm, const struct shape_of_call *shape)
{
    return (float *)(void *)at_guard(gemm, &gemm->out, out_bytes(gemm, shape->panels, shape->tokens));
}

/** Whether nothing of the output changed but the rows of the call. */
static bool is_kept_around(const struct guarded_gemm *gemm, const struct shape_of_call *shape)
{
    size_t rows = shape->panels * gemm->kernel->format->rows_per_panel;
    const uint8_t *from = gemm->out.bytes;
    for (size_t token = 0; token < shape->tokens; token++) {
        const float *row = out_of(gemm, shape) + token * gemm->out_stride;
        if (!guarded_is_all(from, (const uint8_t *)row, CANARY))
            return false;
        from = (const uint8_t *)(row + rows);
    }
    return is_kept(&gemm->out, from, CANARY);
}

static enum call_fault run_slice(struct guarded_gemm *gemm, const struct shape_of_call *shape, size_t prefetch_bytes)
{
    const struct kernel *kernel = gemm->kernel;
    size_t panel_bytes = format_panel_bytes(kernel->format, gemm->k);
    size_t scratch_bytes = kernel_gemm_scratch_bytes(kernel, gemm->k, shape->tokens);
    uint8_t *scratch = at_guard(gemm, &gemm->scratch, guarded_lines(scratch_bytes));
    bool scaled = kernel->gives == KERNEL_GIVES_INT32;
    const struct gemm_slice slice = {
        .weights = (const uint8_t *)gemm->weights.bytes + shape->first_panel * panel_bytes,
        .panels = shape->panels,
        .panel_bytes = panel_bytes,
        .k = format_columns(kernel->format, gemm->k),
        .tokens = shape->tokens,
        .activations = activations_of(gemm, shape->first_token),
        .activations_stride = gemm->stride,
        .prepared = kernel->gemm.prepare_many
                        ? at_guard(gemm, &gemm->prepared,
                                   guarded_lines(kernel_gemm_prepared_bytes(kernel, gemm->k, shape->tokens)))
                        : NULL,
        .scales = scaled ? (const float *)gemm->scales.bytes + shape->first_token : NULL,
        .corrections = scaled ? (const int32_t *)gemm->corrections.bytes + shape->first_token : NULL,
        .out = out_of(gemm, shape),
        .out_stride = gemm->out_stride,
        .scratch = kernel->gemm.scratch_bytes ? scratch : NULL,
        .prefetch_bytes = prefetch_bytes,
    };
    const struct checked_call run = {(const void *)(uintptr_t)kernel->gemm.run, {(uintptr_t)&slice, 0, 0, 0, 0}};
    memset(gemm->out.bytes, CANARY, gemm->out.length);
    memset(gemm->scratch.bytes, SCRATCH_JUNK, gemm->scratch.length);
    call(gemm, &run, "gemm.run()");
    if (gemm->call.fault != CALL_CLEAN)
        return gemm->call.fault;
    return is_kept_around(gemm, shape) && is_kept(&gemm->scratch, scratch + scratch_bytes, SCRATCH_JUNK)
               ? CALL_CLEAN
               : CALL_WROTE_OUTSIDE;
}

enum call_fault guarded_gemm_run(struct guarded_gemm *gemm, size_t panels, size_t tokens, size_t prefetch_bytes,
                                 struct reference_check *check)
{
    const struct shape_of_call shape = shape_of(gemm, panels, tokens);
    uint32_t rows_per_panel = gemm->kernel->format->rows_per_panel;
    *check = (struct reference_check){0};
    enum call_fault fault = gemm->unsealed ? CALL_NO_MEMORY : prepare_groups(gemm, shape.first_token, tokens);
    seal(gemm);
    if (fault == CALL_CLEAN)
        fault = run_slice(gemm, &shape, prefetch_bytes);
    for (size_t i = 0; fault == CALL_CLEAN && i < tokens; i++)
        reference_compare_token(
            gemm->kernel, gemm->expected + (shape.first_token + i) * gemm->rows + shape.first_panel * rows_per_panel,
            panels * rows_per_panel, out_of(gemm, &shape) + i * gemm->out_stride,
            ((const float *)gemm->scales.bytes)[shape.first_token + i], check);
    return fault;
}

/** With no token, and no operand but the weights. */
static enum call_fault unpack_slice(struct guarded_gemm *gemm, size_t panels)
{
    const struct kernel *kernel = gemm->kernel;
    const struct shape_of_call shape = shape_of(gemm, panels, 1);
    size_t panel_bytes = format_panel_bytes(kernel->format, gemm->k);
    size_t scratch_bytes = kernel_gemm_scratch_bytes(kernel, gemm->k, 0);
    uint8_t *scratch = at_guard(gemm, &gemm->scratch, guarded_lines(scratch_bytes));
    const struct gemm_slice slice = {.weights = (const uint8_t *)gemm->weights.bytes + shape.first_panel * panel_bytes,
                                     .panels = panels,
                                     .panel_bytes = panel_bytes,
                                     .k = format_columns(kernel->format, gemm->k),
                                     .scratch = scratch,
                                     .prefetch_bytes = kernel->prefetch_bytes};
    const struct checked_call run = {(const void *)(uintptr_t)kernel->gemm.run, {(uintptr_t)&slice, 0, 0, 0, 0}};
    memset(gemm->out.bytes, CANARY, gemm->out.length);
    memset(gemm->scratch.bytes, SCRATCH_JUNK, gemm->scratch.length);
    call(gemm, &run, "gemm.run() with 0 tokens");
    if (gemm->call.fault != CALL_CLEAN)
        return gemm->call.fault;
    return is_kept(&gemm->out, gemm->out.bytes, CANARY) &&
                   is_kept(&gemm->scratch, scratch + scratch_bytes, SCRATCH_JUNK)
               ? CALL_CLEAN
               : CALL_WROTE_OUTSIDE;
}

enum call_fault guarded_gemm_unpack(struct guarded_gemm *gemm, size_t panels, bool *alike)
{
    const struct kernel *kernel = gemm->kernel;
    size_t bytes = kernel_gemm_scratch_bytes(kernel, gemm->k, 0),
           bytes_of_one = kernel_gemm_scratch_bytes(kernel, gemm->k, 1);
    uint8_t *alone = malloc(bytes + 1);
    struct reference_check check;
    *alike = false;
    seal(gemm);
    enum call_fault fault = unpack_slice(gemm, panels);
    if (alone && fault == CALL_CLEAN) {
        memcpy(alone, at_guard(gemm, &gemm->scratch, guarded_lines(bytes)), bytes);
        fault = guarded_gemm_run(gemm, panels, 1, kernel->prefetch_bytes, &check);
        *alike = unpacked_alike(alone, at_guard(gemm, &gemm->scratch, guarded_lines(bytes_of_one)), bytes, SCRATCH_JUNK,
                                gemm->k);
    }
    free(alone);
    return fault;
}

enum call_fault guarded_gemm_measure(struct guarded_gemm *gemm, size_t panels, size_t tokens,
                                     struct reference_check *check, double *of_bound)
{
    const struct shape_of_call shape = shape_of(gemm, panels, tokens);
    uint32_t rows_per_panel = gemm->kernel->format->rows_per_panel;
    enum call_fault fault = guarded_gemm_run(gemm, panels, tokens, gemm->kernel->prefetch_bytes, check);
    bool bounded = gemm->kernel->gives == KERNEL_GIVES_F32;
    for (size_t i = 0; bounded && fault == CALL_CLEAN && i < tokens * panels * rows_per_panel; i++) {
        size_t token = i / (panels * rows_per_panel), row = i % (panels * rows_per_panel);
        const struct reference_row *expected =
            gemm->expected + (shape.first_token + token) * gemm->rows + shape.first_panel * rows_per_panel + row;
        double error = fabs((double)out_of(gemm, &shape)[token * gemm->out_stride + row] - expected->definition);
        if (error > 0 && expected->bound > 0)
            *of_bound = fmax(*of_bound, error / expected->bound);
    }
    return fault;
}

bool unpacked_alike(const uint8_t *alone, const uint8_t *multiplied, size_t bytes, uint8_t junk, size_t columns)
{
    enum { LAST_COLUMNS = 256 };
    size_t written = 0, least = (columns < LAST_COLUMNS ? columns : LAST_COLUMNS) / 2;
    for (size_t i = 0; i < bytes; i++) {
        if (alone[i] != junk && alone[i] != multiplied[i])
            return false;
        written += alone[i] != junk;
    }
    return written && written >= least;
}
