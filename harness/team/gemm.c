/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/gemm.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/team/product.h"
#include "micro/quantization/column_order.h"

/** Multiplications up to which all are compared; beyond, of each member this many more panels and tokens than the ends. */
enum { VERIFY_ALL = 1 << 20, VERIFY_MORE = 2, VERIFY_ROWS = 48 };

static size_t lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

size_t gemm_panel_bytes(const struct kernel *kernel, size_t k)
{
    return kernel_call_panels(kernel) * format_panel_bytes(kernel->format, k);
}

size_t gemm_stride(const struct kernel *kernel, size_t k)
{
    size_t element = kernel_activation_bytes(kernel);
    return lines(format_columns(kernel->format, k) * element) / element;
}

size_t gemm_out_stride(const struct kernel *kernel, size_t m)
{
    return lines(kernel_groups(kernel, m) * kernel_group_rows(kernel) * sizeof(float)) / sizeof(float);
}

uint64_t gemm_working_bytes(const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads)
{
    size_t groups = column_order_groups(kernel->format, k);
    return (uint64_t)tokens * ((groups ? 2 : 1) * gemm_stride(kernel, k) * kernel_activation_bytes(kernel) +
                               gemm_out_stride(kernel, m) * sizeof(float) + sizeof(float) + sizeof(int32_t)) +
           kernel_gemm_prepared_bytes(kernel, k, tokens) + groups * sizeof(uint16_t) +
           threads * (kernel_gemm_scratch_bytes(kernel, k, tokens) + sizeof(struct gemm_member));
}

/** `columns` members beside each other share the panels, and as many rows of them as there are the tokens. */
static struct gemm_share share_of(const struct kernel *kernel, size_t panels, size_t tokens, unsigned member,
                                  unsigned threads, size_t columns)
{
    size_t group = kernel->gemm.prepare_many ? kernel->gemm.tokens_per_group : 1;
    size_t groups = (tokens + group - 1) / group;
    size_t rows = threads / columns;
    size_t column = member % columns, row = member / columns;
    if (row >= rows)
        return (struct gemm_share){0};
    size_t panel = panels * column / columns, panel_end = panels * (column + 1) / columns;
    size_t token = groups * row / rows * group, token_end = groups * (row + 1) / rows * group;
    token_end = token_end < tokens ? token_end : tokens;
    return (struct gemm_share){panel, panel_end - panel, token, token_end > token ? token_end - token : 0};
}

struct gemm_share gemm_share_of(const struct kernel *kernel, size_t panels, size_t tokens, unsigned member,
                                unsigned threads)
{
    return share_of(kernel, panels, tokens, member, threads, panels < threads ? panels : threads);
}

bool gemm_splits_tokens(const struct kernel *kernel, size_t m, unsigned threads)
{
    return kernel_groups(kernel, m) < threads;
}

/** A member's panels and pieces by a schedule; what cannot be shared by it is shared equally. */
struct assignment {
    struct gemm_share share;
    struct schedule_pieces own;
    size_t own_panels; /* of its pieces */
};

static struct schedule_tail tail_of(const struct kernel *kernel, size_t panels, size_t k, unsigned threads,
                                    const struct schedule *schedule)
{
    return schedule_tail(schedule, panels, 1, schedule_units_least(gemm_panel_bytes(kernel, k)), threads);
}

static struct assignment deal(const struct kernel *kernel, size_t panels, size_t tokens, unsigned member,
                              unsigned threads, const struct schedule *schedule, const struct schedule_tail *tail)
{
    if (schedule->shares_tokens)
        return (struct assignment){.share = share_of(kernel, panels, tokens, member, threads, 1)};
    if (schedule->kind == SCHEDULE_STATIC || panels < threads)
        return (struct assignment){.share = gemm_share_of(kernel, panels, tokens, member, threads)};
    struct partition part = schedule_share(schedule, tail, member, threads);
    struct schedule_pieces own = schedule_pieces_of(schedule, tail, member, threads);
    return (struct assignment){{part.first, part.end - part.first, 0, tokens},
                               own,
                               schedule_units_before(tail, own.end) - schedule_units_before(tail, own.first)};
}

size_t gemm_largest_share(const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads,
                          const struct schedule *schedule)
{
    size_t panels = kernel_groups(kernel, m), most = 0;
    const struct schedule_tail tail = tail_of(kernel, panels, k, threads, schedule);
    for (unsigned t = 0; t < threads; t++) {
        struct assignment dealt = deal(kernel, panels, tokens, t, threads, schedule, &tail);
        size_t all = dealt.share.panels + dealt.own_panels;
        most = dealt.share.tokens && all > most ? all : most;
    }
    return most * gemm_panel_bytes(kernel, k);
}

int gemm_set_schedule(struct gemm *gemm, const struct schedule *schedule)
{
    if (schedule->kind != SCHEDULE_STATIC && gemm->panels < gemm->threads)
        return -EINVAL;
    const struct schedule_tail tail = tail_of(gemm->kernel, gemm->panels, gemm->k, gemm->threads, schedule);
    struct schedule_counter *drawn = tail.pieces ? aligned_alloc(64, gemm->threads * sizeof *drawn) : NULL;
    if (tail.pieces && !drawn)
        return -ENOMEM;
    if (drawn)
        memset(drawn, 0, gemm->threads * sizeof *drawn);
    free(gemm->drawn);
    gemm->drawn = drawn;
    gemm->tail = tail;
    for (unsigned t = 0; t < gemm->threads; t++) {
        struct gemm_member *member = &gemm->members[t];
        struct assignment dealt = deal(gemm->kernel, gemm->panels, gemm->tokens, t, gemm->threads, schedule, &tail);
        member->first_panel = dealt.share.first_panel;
        member->panels = dealt.share.panels;
        member->first_token = dealt.share.first_token;
        member->tokens = dealt.share.tokens;
        member->own = dealt.own;
    }
    return 0;
}

void gemm_emulate_speed(struct gemm *gemm, unsigned member, double speed)
{
    gemm->members[member].speed = speed < 1 ? speed : 0;
}

/* ---- operands ---- */

/** Of the activations of a token. */
static size_t token_bytes(const struct gemm *gemm)
{
    return gemm->stride * gemm->activation_bytes;
}

static void draw_token(struct gemm *gemm, size_t token, uint64_t *state)
{
    const struct kernel *kernel = gemm->kernel;
    void *activations = gemm->activations + token * token_bytes(gemm);
    int32_t sum = activations_draw(kernel, activations, gemm->k, state);
    gemm->corrections[token] = -kernel->format->activation_offset * sum;
    gemm->scales[token] = 0x1p-8f + (float)(activations_random(state) >> 7) * 0x1p-24f;
}

/** Copies in the order of the panels, of tokens [first, end). */
static void order_tokens(struct gemm *gemm, size_t first, size_t end)
{
    for (size_t token = first; token < end; token++)
        column_order_copy(gemm->kernel, (const uint8_t *)gemm->source + token * token_bytes(gemm), gemm->columns,
                          gemm->order, gemm->activations + token * token_bytes(gemm));
}

/** The operands of tokens [first, end), first at the begin of a group. */
static void prepare_groups(struct gemm *gemm, size_t first, size_t end)
{
    const struct kernel_gemm *entry = &gemm->kernel->gemm;
    const struct kernel_ordered *ordered = &gemm->kernel->ordered;
    if (gemm->order && !ordered->prepare_many)
        order_tokens(gemm, first, end);
    if (!gemm->prepared)
        return;
    size_t group_bytes = entry->prepared_bytes(gemm->columns);
    for (size_t token = first; token < end; token += entry->tokens_per_group) {
        size_t count = gemm->tokens - token < entry->tokens_per_group ? gemm->tokens - token : entry->tokens_per_group;
        uint8_t *prepared = gemm->prepared + token / entry->tokens_per_group * group_bytes;
        if (gemm->order && ordered->prepare_many)
            ordered->prepare_many((const uint8_t *)gemm->source + token * token_bytes(gemm), gemm->stride,
                                  gemm->columns, count, gemm->order, prepared);
        else
            entry->prepare_many(gemm->activations + token * token_bytes(gemm), gemm->stride, gemm->columns, count,
                                prepared);
    }
}

/** On huge pages where there are any: a kernel walks activations and output of many tokens at long strides. */
static void *reserve(struct memory_block *block, size_t bytes)
{
    bool there = bytes && memory_reserve(bytes, block) == 0 && memory_populate(block, 0, bytes, NULL) == 0;
    return there ? block->bytes : NULL;
}

void *gemm_results(struct gemm *gemm, size_t *bytes)
{
    *bytes = gemm->tokens * gemm->out_stride * sizeof *gemm->out;
    return gemm->out;
}

bool gemm_overran(const struct gemm *gemm)
{
    return !gemm->borrows && !result_guard_is_whole(gemm->out + gemm->tokens * gemm->out_stride);
}

static void lay_out(struct gemm *gemm, const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads)
{
    *gemm = (struct gemm){.kernel = kernel, .m = m, .k = k, .tokens = tokens, .threads = threads};
    gemm->panels = kernel_groups(kernel, m);
    gemm->panel_bytes = gemm_panel_bytes(kernel, k);
    gemm->prefetch_bytes = kernel->prefetch_bytes;
    gemm->run = kernel->gemm.run;
    gemm->columns = format_columns(kernel->format, k);
    gemm->activation_bytes = kernel_activation_bytes(kernel);
    gemm->together = kernel_call_panels(kernel);
    gemm->group_rows = kernel_group_rows(kernel);
    gemm->stride = gemm_stride(kernel, k);
    gemm->out_stride = gemm_out_stride(kernel, m);
    gemm->members = aligned_alloc(64, threads * sizeof *gemm->members);
    if (gemm->members)
        memset(gemm->members, 0, threads * sizeof *gemm->members);
}

int gemm_prepare_shared(struct gemm *gemm, const struct kernel *kernel, size_t m, size_t k, size_t tokens,
                        unsigned threads, const struct gemm_vectors *vectors)
{
    lay_out(gemm, kernel, m, k, tokens, threads);
    gemm->stride = vectors->stride ? vectors->stride : gemm->stride;
    gemm->out_stride = vectors->out_stride ? vectors->out_stride : gemm->out_stride;
    gemm->activations = vectors->activations;
    gemm->source = vectors->source;
    gemm->order = vectors->order;
    gemm->prepared = vectors->prepared;
    gemm->scales = vectors->scales;
    gemm->corrections = vectors->corrections;
    gemm->out = vectors->out;
    gemm->borrows = true;
    return gemm->members ? gemm_set_schedule(gemm, &(const struct schedule){.kind = SCHEDULE_STATIC}) : -ENOMEM;
}

/** Tokens that are prepared together: one where they are only ordered; 0 where there is nothing to do. */
static size_t tokens_at_once(const struct gemm *gemm)
{
    return gemm->prepared ? gemm->kernel->gemm.tokens_per_group : gemm->order != NULL;
}

size_t gemm_groups(const struct gemm *gemm)
{
    size_t group = tokens_at_once(gemm);
    return group ? (gemm->tokens + group - 1) / group : 0;
}

void gemm_prepare_groups(struct gemm *gemm, size_t first, size_t end)
{
    size_t group = tokens_at_once(gemm);
    prepare_groups(gemm, first * group, end * group < gemm->tokens ? end * group : gemm->tokens);
}

/** What was drawn is how they come: an order, and the activations in it. @return 0 or -ENOMEM */
static int lay_out_order(struct gemm *gemm)
{
    size_t groups = column_order_groups(gemm->kernel->format, gemm->k), bytes = gemm->tokens * token_bytes(gemm);
    if (!groups)
        return 0;
    gemm->source = reserve(&gemm->blocks[3], bytes);
    gemm->order = calloc(groups, sizeof *gemm->order);
    if (!gemm->source || !gemm->order)
        return -ENOMEM;
    column_order_draw(gemm->kernel->format, gemm->k, gemm->order);
    memcpy(gemm->source, gemm->activations, bytes);
    order_tokens(gemm, 0, gemm->tokens);
    return 0;
}

int gemm_prepare(struct gemm *gemm, const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads,
                 uint64_t seed)
{
    uint64_t state = seed | 1;
    size_t prepared = kernel_gemm_prepared_bytes(kernel, k, tokens);
    lay_out(gemm, kernel, m, k, tokens, threads);
    gemm->activations = reserve(&gemm->blocks[0], tokens * token_bytes(gemm));
    gemm->prepared = reserve(&gemm->blocks[1], prepared);
    gemm->out = reserve(&gemm->blocks[2], tokens * gemm->out_stride * sizeof *gemm->out + RESULT_GUARD_BYTES);
    gemm->scales = calloc(tokens, sizeof *gemm->scales);
    gemm->corrections = calloc(tokens, sizeof *gemm->corrections);
    if (!gemm->activations || !gemm->out || !gemm->scales || !gemm->corrections || !gemm->members ||
        (prepared && !gemm->prepared)) {
        gemm_release(gemm);
        return -ENOMEM;
    }
    result_guard_set(gemm->out + tokens * gemm->out_stride);
    for (size_t token = 0; token < tokens; token++)
        draw_token(gemm, token, &state);
    if (lay_out_order(gemm)) {
        gemm_release(gemm);
        return -ENOMEM;
    }
    prepare_groups(gemm, 0, tokens);
    return gemm_set_schedule(gemm, &(const struct schedule){.kind = SCHEDULE_STATIC});
}

void gemm_release(struct gemm *gemm)
{
    for (unsigned t = 0; gemm->members && t < gemm->threads; t++)
        memory_release(&gemm->members[t].scratch);
    for (size_t i = 0; i < sizeof gemm->blocks / sizeof *gemm->blocks; i++)
        memory_release(&gemm->blocks[i]);
    if (!gemm->borrows) {
        free(gemm->scales);
        free(gemm->corrections);
        free(gemm->order);
    }
    free(gemm->drawn);
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
    int error = memory_reserve(bytes, scratch);
    return error ? error : memory_populate(scratch, 0, bytes, NULL);
}

uint64_t gemm_scratch_bytes(const struct gemm *gemm)
{
    uint64_t bytes = 0;
    for (unsigned t = 0; t < gemm->threads; t++)
        bytes += member_scratch(gemm, t);
    return bytes;
}

/** Panels of the tail that are a member's own. */
static size_t own_panels(const struct gemm *gemm, const struct gemm_member *member)
{
    return schedule_units_before(&gemm->tail, member->own.end) - schedule_units_before(&gemm->tail, member->own.first);
}

size_t gemm_member_bytes(const struct gemm *gemm, unsigned member)
{
    const struct gemm_member *own = &gemm->members[member];
    return own->tokens ? (own->panels + own_panels(gemm, own)) * gemm->panel_bytes : 0;
}

/* ---- multiplying ---- */

/** A stretch of panels for the tokens of a member. */
static void multiply(const struct gemm *gemm, const struct gemm_member *member, const uint8_t *weights,
                     size_t first_panel, size_t panels)
{
    const struct kernel *kernel = gemm->kernel;
    const size_t token = member->first_token;
    bool scaled = kernel->gives == KERNEL_GIVES_INT32;
    const struct gemm_slice slice = {
        .weights = weights,
        .panels = panels * gemm->together,
        .panel_bytes = gemm->panel_bytes / gemm->together,
        .k = gemm->columns,
        .tokens = member->tokens,
        .activations = gemm->activations + token * token_bytes(gemm),
        .activations_stride = gemm->stride,
        .prepared = gemm->prepared ? gemm->prepared + token / kernel->gemm.tokens_per_group *
                                                          kernel->gemm.prepared_bytes(gemm->columns)
                                   : NULL,
        .scales = scaled ? gemm->scales + token : NULL,
        .corrections = scaled ? gemm->corrections + token : NULL,
        .out = gemm->out + token * gemm->out_stride + first_panel * gemm->group_rows,
        .out_stride = gemm->out_stride,
        .scratch = member->scratch.bytes,
        .prefetch_bytes = gemm->prefetch_bytes,
    };
    gemm->run(&slice);
    if (gemm->releases_vectors)
        release_vectors();
}

/** The same at a speed that may be emulated, a few panels between two waits. */
static void run_stretch(const struct gemm *gemm, const struct gemm_member *member, const uint8_t *weights,
                        size_t first_panel, size_t panels)
{
    size_t at_once = member->speed > 0 ? EMULATED_BYTES / gemm->panel_bytes + 1 : panels;
    for (size_t done = 0; done < panels; done += at_once) {
        size_t some = panels - done < at_once ? panels - done : at_once;
        uint64_t begin = member->speed > 0 ? tsc_begin().ticks : 0;
        multiply(gemm, member, weights + done * gemm->panel_bytes, first_panel + done, some);
        if (member->speed > 0)
            emulated_speed_wait(begin, member->speed);
    }
}

void gemm_run_panels(struct gemm *gemm, unsigned index, size_t first, size_t count)
{
    const struct gemm_member *member = &gemm->members[index];
    if (count && member->tokens)
        run_stretch(gemm, member, member->weights + first * gemm->panel_bytes, member->first_panel + first, count);
}

/** Where a piece lies that is one of a member's. */
static const uint8_t *piece_weights(const struct gemm *gemm, const struct gemm_member *owner, size_t piece)
{
    size_t before = schedule_units_before(&gemm->tail, piece) - schedule_units_before(&gemm->tail, owner->own.first);
    return owner->weights + (owner->panels + before) * gemm->panel_bytes;
}

void gemm_run_member(struct gemm *gemm, unsigned index, unsigned generation)
{
    struct gemm_member *member = &gemm->members[index];
    if (member->panels && member->tokens)
        run_stretch(gemm, member, member->weights, member->first_panel, member->panels);
    /* its own pieces, then what others have left of theirs */
    for (unsigned i = 0; gemm->tail.pieces && i < gemm->threads; i++) {
        unsigned at = (index + i) % gemm->threads;
        const struct gemm_member *owner = &gemm->members[at];
        for (;;) {
            struct schedule_pieces drawn = schedule_draw(&gemm->drawn[at], generation, owner->own);
            size_t first = schedule_units_before(&gemm->tail, drawn.first);
            if (drawn.first == drawn.end)
                break;
            run_stretch(gemm, member, piece_weights(gemm, owner, drawn.first), first,
                        schedule_units_before(&gemm->tail, drawn.end) - first);
            member->pieces += drawn.end - drawn.first;
        }
    }
}

void gemm_unpack_member(struct gemm *gemm, unsigned index)
{
    const struct gemm_member *member = &gemm->members[index];
    const struct gemm_slice slice = {.weights = member->weights,
                                     .panels = member->panels * gemm->together,
                                     .panel_bytes = gemm->panel_bytes / gemm->together,
                                     .k = gemm->columns,
                                     .scratch = member->scratch.bytes,
                                     .prefetch_bytes = gemm->prefetch_bytes};
    gemm->kernel->gemm.run(&slice);
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
    const int8_t *activations = gemm->activations + token * token_bytes(gemm);
    if (at->operand)
        kernel->prepare(activations, gemm->columns, at->operand);
    reference_rows_of_weights(kernel, panel, at->weights, gemm->k, count, activations, at->operand, at->rows);
    reference_compare_token(kernel, at->rows, count, gemm->out + token * gemm->out_stride + first_row,
                            gemm->scales[token], at->check);
}

/** Panels next to each other in a member's memory and in the matrix. */
struct stretch {
    const struct gemm_member *member;
    const uint8_t *weights;
    size_t first_panel, panels;
};

/** A panel of those that are one of a stretch, for all tokens of its member or for the ends and some others. */
static void verify_panel(struct verification *at, const struct stretch *stretch, size_t panel, bool all)
{
    const struct gemm *gemm = at->gemm;
    const struct gemm_member *member = stretch->member;
    uint32_t rows = gemm->kernel->format->rows_per_panel;
    size_t first_row = (stretch->first_panel * gemm->together + panel) * rows;
    size_t count = first_row + rows <= gemm->m ? rows : gemm->m - first_row;
    const uint8_t *bytes = stretch->weights + panel * (gemm->panel_bytes / gemm->together);
    reference_weights(gemm->kernel->format, bytes, gemm->k, count, at->weights);
    if (all || member->tokens <= VERIFY_MORE + 2) {
        for (size_t token = 0; token < member->tokens; token++)
            verify_token(at, bytes, first_row, count, member->first_token + token);
        return;
    }
    verify_token(at, bytes, first_row, count, member->first_token);
    verify_token(at, bytes, first_row, count, member->first_token + member->tokens - 1);
    for (size_t i = 0; i < VERIFY_MORE; i++)
        verify_token(at, bytes, first_row, count,
                     member->first_token + activations_random(&at->random) % member->tokens);
}

static void verify_stretch(struct verification *at, const struct stretch *stretch, bool all)
{
    size_t more = VERIFY_ROWS / at->gemm->kernel->format->rows_per_panel;
    size_t panels = stretch->panels * at->gemm->together;
    more = more > VERIFY_MORE ? more : VERIFY_MORE;
    if (all || panels <= more + 2) {
        for (size_t panel = 0; panel < panels; panel++)
            verify_panel(at, stretch, panel, all);
        return;
    }
    verify_panel(at, stretch, 0, false);
    verify_panel(at, stretch, panels - 1, false);
    for (size_t i = 0; i < more; i++)
        verify_panel(at, stretch, activations_random(&at->random) % panels, false);
}

/** Its share, and the pieces in its memory, whichever member drew them. */
static void verify_member(struct verification *at, const struct gemm_member *member, bool all)
{
    const struct gemm *gemm = at->gemm;
    if (!member->tokens)
        return;
    const struct stretch share = {member, member->weights, member->first_panel, member->panels};
    const struct stretch pieces = {member, piece_weights(gemm, member, member->own.first),
                                   schedule_units_before(&gemm->tail, member->own.first), own_panels(gemm, member)};
    verify_stretch(at, &share, all);
    verify_stretch(at, &pieces, all);
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
