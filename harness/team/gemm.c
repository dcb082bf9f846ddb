/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/gemm.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** Multiplications up to which all are compared; beyond, of each member so many more panels and tokens than the ends. */
enum { VERIFY_ALL = 1 << 20, VERIFY_MORE = 2, VERIFY_ROWS = 48 };

static size_t lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t stride_of(const struct kernel *kernel, size_t k)
{
    size_t element = kernel_activation_bytes(kernel);
    return lines(format_columns(kernel->format, k) * element) / element;
}

static size_t out_stride_of(const struct kernel *kernel, size_t m)
{
    return lines(format_panels(kernel->format, m) * kernel->format->rows_per_panel * sizeof(float)) / sizeof(float);
}

uint64_t gemm_working_bytes(const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads)
{
    return (uint64_t)tokens * (stride_of(kernel, k) * kernel_activation_bytes(kernel) +
                               out_stride_of(kernel, m) * sizeof(float) + sizeof(float) + sizeof(int32_t)) +
           kernel_gemm_prepared_bytes(kernel, k, tokens) +
           threads * (kernel_gemm_scratch_bytes(kernel, k, tokens) + sizeof(struct gemm_member));
}

struct gemm_share gemm_share_of(const struct kernel *kernel, size_t panels, size_t tokens, unsigned member,
                                unsigned threads)
{
    size_t group = kernel->gemm.prepare_many ? kernel->gemm.tokens_per_group : 1;
    size_t groups = (tokens + group - 1) / group;
    size_t columns = panels < threads ? panels : threads, rows = threads / columns;
    size_t column = member % columns, row = member / columns;
    if (row >= rows)
        return (struct gemm_share){0};
    size_t panel = panels * column / columns, panel_end = panels * (column + 1) / columns;
    size_t token = groups * row / rows * group, token_end = groups * (row + 1) / rows * group;
    token_end = token_end < tokens ? token_end : tokens;
    return (struct gemm_share){panel, panel_end - panel, token, token_end > token ? token_end - token : 0};
}

/* ---- operands ---- */

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void draw_token(struct gemm *gemm, size_t token, uint64_t *state)
{
    bool floats = gemm->kernel->takes == KERNEL_TAKES_F32;
    int32_t sum = 0;
    for (size_t i = token * gemm->stride; i < token * gemm->stride + gemm->k; i++) {
        uint64_t bits = next(state);
        if (floats) {
            gemm->activations_f32[i] = (float)(int32_t)(bits >> 7) * 0x1p-23f - 1;
            continue;
        }
        gemm->activations[i] = (int8_t)((int)(bits % 255) - 127);
        sum += gemm->activations[i];
    }
    gemm->corrections[token] = -gemm->kernel->format->activation_offset * sum;
    gemm->scales[token] = 0x1p-8f + (float)(next(state) >> 7) * 0x1p-24f;
}

static void prepare_groups(struct gemm *gemm)
{
    const struct kernel_gemm *entry = &gemm->kernel->gemm;
    size_t columns = format_columns(gemm->kernel->format, gemm->k);
    if (!gemm->prepared)
        return;
    size_t group_bytes = entry->prepared_bytes(columns);
    for (size_t token = 0; token < gemm->tokens; token += entry->tokens_per_group) {
        size_t count = gemm->tokens - token < entry->tokens_per_group ? gemm->tokens - token : entry->tokens_per_group;
        entry->prepare_many(gemm->activations + token * gemm->stride * kernel_activation_bytes(gemm->kernel),
                            gemm->stride, columns, count,
                            gemm->prepared + token / entry->tokens_per_group * group_bytes);
    }
}

/** On huge pages where there are any: a kernel walks activations and output of many tokens at long strides. */
static void *reserve(struct memory_block *block, size_t bytes)
{
    return bytes && memory_reserve(bytes, block) == 0 ? block->bytes : NULL;
}

int gemm_prepare(struct gemm *gemm, const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads,
                 uint64_t seed)
{
    uint64_t state = seed | 1;
    size_t prepared = kernel_gemm_prepared_bytes(kernel, k, tokens);
    *gemm = (struct gemm){.kernel = kernel, .m = m, .k = k, .tokens = tokens, .threads = threads};
    gemm->panels = format_panels(kernel->format, m);
    gemm->panel_bytes = format_panel_bytes(kernel->format, k);
    gemm->prefetch_bytes = kernel->prefetch_bytes;
    gemm->stride = stride_of(kernel, k);
    gemm->out_stride = out_stride_of(kernel, m);
    gemm->activations = reserve(&gemm->blocks[0], tokens * gemm->stride * kernel_activation_bytes(kernel));
    gemm->prepared = reserve(&gemm->blocks[1], prepared);
    gemm->out = reserve(&gemm->blocks[2], tokens * gemm->out_stride * sizeof *gemm->out);
    gemm->scales = calloc(tokens, sizeof *gemm->scales);
    gemm->corrections = calloc(tokens, sizeof *gemm->corrections);
    gemm->members = aligned_alloc(64, threads * sizeof *gemm->members);
    if (!gemm->activations || !gemm->out || !gemm->scales || !gemm->corrections || !gemm->members ||
        (prepared && !gemm->prepared)) {
        free(gemm->members);
        gemm->members = NULL;
        gemm_release(gemm);
        return -ENOMEM;
    }
    memset(gemm->members, 0, threads * sizeof *gemm->members);
    memset(gemm->out, 0, tokens * gemm->out_stride * sizeof *gemm->out);
    for (size_t token = 0; token < tokens; token++)
        draw_token(gemm, token, &state);
    prepare_groups(gemm);
    for (unsigned t = 0; t < threads; t++) {
        struct gemm_share share = gemm_share_of(kernel, gemm->panels, tokens, t, threads);
        gemm->members[t] = (struct gemm_member){.first_panel = share.first_panel,
                                                .panels = share.panels,
                                                .first_token = share.first_token,
                                                .tokens = share.tokens};
    }
    return 0;
}

void gemm_release(struct gemm *gemm)
{
    for (unsigned t = 0; gemm->members && t < gemm->threads; t++)
        memory_release(&gemm->members[t].scratch);
    for (size_t i = 0; i < sizeof gemm->blocks / sizeof *gemm->blocks; i++)
        memory_release(&gemm->blocks[i]);
    free(gemm->scales);
    free(gemm->corrections);
    free(gemm->members);
    *gemm = (struct gemm){0};
}

static size_t member_scratch(const struct gemm *gemm, unsigned member)
{
    size_t tokens = gemm->members[member].tokens;
    return tokens ? lines(kernel_gemm_scratch_bytes(gemm->kernel, gemm->k, tokens)) : 0;
}

int gemm_touch(struct gemm *gemm, unsigned member)
{
    size_t bytes = member_scratch(gemm, member);
    struct memory_block *scratch = &gemm->members[member].scratch;
    if (!bytes || scratch->bytes)
        return 0;
    if (memory_reserve(bytes, scratch))
        return -ENOMEM;
    memset(scratch->bytes, 0, bytes);
    return 0;
}

uint64_t gemm_scratch_bytes(const struct gemm *gemm)
{
    uint64_t bytes = 0;
    for (unsigned t = 0; t < gemm->threads; t++)
        bytes += member_scratch(gemm, t);
    return bytes;
}

size_t gemm_member_bytes(const struct gemm *gemm, unsigned member)
{
    const struct gemm_member *own = &gemm->members[member];
    return own->tokens ? own->panels * gemm->panel_bytes : 0;
}

void gemm_run_member(struct gemm *gemm, unsigned index)
{
    const struct kernel *kernel = gemm->kernel;
    const struct gemm_member *member = &gemm->members[index];
    size_t columns = format_columns(kernel->format, gemm->k), token = member->first_token;
    bool scaled = kernel->gives == KERNEL_GIVES_INT32;
    if (!member->panels || !member->tokens)
        return;
    const struct gemm_slice slice = {
        .weights = member->weights,
        .panels = member->panels,
        .panel_bytes = gemm->panel_bytes,
        .k = columns,
        .tokens = member->tokens,
        .activations = gemm->activations + token * gemm->stride * kernel_activation_bytes(kernel),
        .activations_stride = gemm->stride,
        .prepared = gemm->prepared
                        ? gemm->prepared + token / kernel->gemm.tokens_per_group * kernel->gemm.prepared_bytes(columns)
                        : NULL,
        .scales = scaled ? gemm->scales + token : NULL,
        .corrections = scaled ? gemm->corrections + token : NULL,
        .out = gemm->out + token * gemm->out_stride + member->first_panel * kernel->format->rows_per_panel,
        .out_stride = gemm->out_stride,
        .scratch = member->scratch.bytes,
        .prefetch_bytes = gemm->prefetch_bytes,
    };
    kernel->gemm.run(&slice);
}

/* ---- verification ---- */

/** Room for the weights of one panel and what its rows must be for a token. */
struct verification {
    const struct gemm *gemm;
    double *weights;
    struct reference_row *rows;
    void *operand; /* of one token, for row() */
    uint64_t random;
    struct reference_check *check;
};

static void verify_token(struct verification *at, const uint8_t *panel, size_t first_row, size_t count, size_t token)
{
    const struct gemm *gemm = at->gemm;
    const struct kernel *kernel = gemm->kernel;
    const int8_t *activations = gemm->activations + token * gemm->stride * kernel_activation_bytes(kernel);
    if (at->operand)
        kernel->prepare(activations, format_columns(kernel->format, gemm->k), at->operand);
    reference_rows_of_weights(kernel, panel, at->weights, gemm->k, count, activations, at->operand, at->rows);
    reference_compare_token(kernel, at->rows, count, gemm->out + token * gemm->out_stride + first_row,
                            gemm->scales[token], at->check);
}

/** A panel of a member, for all its tokens or for the ends and some others. */
static void verify_panel(struct verification *at, const struct gemm_member *member, size_t panel, bool all)
{
    const struct gemm *gemm = at->gemm;
    uint32_t rows = gemm->kernel->format->rows_per_panel;
    size_t first_row = (member->first_panel + panel) * rows;
    size_t count = first_row + rows <= gemm->m ? rows : gemm->m - first_row;
    const uint8_t *bytes = member->weights + panel * gemm->panel_bytes;
    reference_weights(gemm->kernel->format, bytes, gemm->k, count, at->weights);
    if (all || member->tokens <= VERIFY_MORE + 2) {
        for (size_t token = 0; token < member->tokens; token++)
            verify_token(at, bytes, first_row, count, member->first_token + token);
        return;
    }
    verify_token(at, bytes, first_row, count, member->first_token);
    verify_token(at, bytes, first_row, count, member->first_token + member->tokens - 1);
    for (size_t i = 0; i < VERIFY_MORE; i++)
        verify_token(at, bytes, first_row, count, member->first_token + next(&at->random) % member->tokens);
}

static void verify_member(struct verification *at, const struct gemm_member *member, bool all)
{
    size_t more = VERIFY_ROWS / at->gemm->kernel->format->rows_per_panel;
    more = more > VERIFY_MORE ? more : VERIFY_MORE;
    if (!member->tokens)
        return;
    if (all || member->panels <= more + 2) {
        for (size_t panel = 0; panel < member->panels; panel++)
            verify_panel(at, member, panel, all);
        return;
    }
    verify_panel(at, member, 0, false);
    verify_panel(at, member, member->panels - 1, false);
    for (size_t i = 0; i < more; i++)
        verify_panel(at, member, next(&at->random) % member->panels, false);
}

int gemm_verify(const struct gemm *gemm, uint64_t seed, struct reference_check *check)
{
    const struct kernel *kernel = gemm->kernel;
    uint32_t rows = kernel->format->rows_per_panel;
    size_t operand = kernel->row ? lines(kernel_prepared_bytes(kernel, gemm->k)) : 0;
    *check = (struct reference_check){0};
    struct verification at = {.gemm = gemm,
                              .weights = malloc(rows * gemm->k * sizeof *at.weights),
                              .rows = malloc(rows * sizeof *at.rows),
                              .operand = operand ? aligned_alloc(64, operand) : NULL,
                              .random = seed | 1,
                              .check = check};
    int error = at.weights && at.rows && (at.operand || !operand) ? 0 : -ENOMEM;
    bool all = (double)gemm->m * (double)gemm->k * (double)gemm->tokens <= VERIFY_ALL;
    for (unsigned t = 0; !error && t < gemm->threads; t++)
        verify_member(&at, &gemm->members[t], all);
    free(at.weights);
    free(at.rows);
    free(at.operand);
    return error;
}
