/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/decode/prefill_state.h"
#include "micro/quantization/column_order.h"

enum { LINE = 64 };

/* ---------------------------------------------------------------- opening */

/** Lays out one piece of memory; without one, counts only. */
struct room {
    uint8_t *base;
    uint64_t used;
};

static void *take(struct room *room, uint64_t bytes)
{
    uint64_t at = room->used;
    room->used += (bytes + 2 * LINE - 1) / LINE * LINE;
    return room->base ? room->base + at : NULL;
}

/** Of a prompt the last one alone goes through the head. */
static size_t tokens_of(const struct prefill_pass *pass, bool head)
{
    return head && !pass->batch ? 1 : pass->tokens;
}

/** What a kernel reads of the rows, unless another reads the same. */
static void lay_out_operand(struct prefill_input *input, struct room *room, const struct kernel *kernel)
{
    size_t k = input->k, tokens = input->tokens, groups = column_order_groups(kernel->format, k);
    for (size_t i = 0; i < input->operands; i++) {
        if (prefill_shares_operand(input->operand[i].kernel, kernel, k))
            return;
    }
    size_t prepared = kernel->gemm.prepare_many ? kernel_gemm_prepared_bytes(kernel, k, tokens) : 0;
    size_t stride = kernel->takes == KERNEL_TAKES_INT8 ? input->q_stride : input->stride;
    input->operand[input->operands++] = (struct prefill_operand){
        .kernel = kernel,
        .corrections = take(room, tokens * sizeof(int32_t)),
        .order = groups ? take(room, groups * sizeof(uint16_t)) : NULL,
        .ordered = groups ? take(room, tokens * stride * kernel_activation_bytes(kernel)) : NULL,
        .prepared = prepared ? take(room, prepared) : NULL,
    };
}

/** A kernel more that reads the rows. */
static void widen(struct prefill_input *input, const struct kernel *kernel)
{
    size_t stride = gemm_stride(kernel, input->k);
    size_t *of = kernel->takes == KERNEL_TAKES_INT8 ? &input->q_stride : &input->stride;
    *of = stride > *of ? stride : *of;
}

static void lay_out_input(struct prefill_pass *pass, struct room *room, const struct decode_kernels *kernels,
                          enum decode_group group, size_t k)
{
    struct prefill_input *input = &pass->input[group];
    *input = (struct prefill_input){
        .k = k, .tokens = tokens_of(pass, group == DECODE_GROUP_HEAD), .stride = prefill_padded(k)};
    for (int role = 0; role <= DECODE_ROLES; role++) {
        for (size_t i = 0; decode_group_of(role) == group && i < kernels->count[role]; i++)
            widen(input, kernels->of[role][i]);
    }
    input->x = take(room, input->tokens * input->stride * sizeof *input->x);
    input->q = input->q_stride ? take(room, input->tokens * input->q_stride) : NULL;
    input->scales = take(room, input->tokens * sizeof *input->scales);
    for (int role = 0; role <= DECODE_ROLES; role++) {
        for (size_t i = 0; decode_group_of(role) == group && i < kernels->count[role]; i++)
            lay_out_operand(input, room, kernels->of[role][i]);
    }
}

static void lay_out_results(struct prefill_pass *pass, struct room *room, const struct decode_kernels *kernels,
                            int role, size_t m)
{
    struct prefill_results *results = &pass->results[role];
    *results = (struct prefill_results){.tokens = tokens_of(pass, role == DECODE_ROLES)};
    for (size_t i = 0; i < kernels->count[role]; i++) {
        size_t stride = gemm_out_stride(kernels->of[role][i], m);
        results->stride = stride > results->stride ? stride : results->stride;
    }
    results->out = take(room, results->tokens * results->stride * sizeof *results->out);
}

/** What members find in their pieces: a head more for each member that a head is cut for. */
static void lay_out_attention(struct prefill_pass *pass, struct room *room, const struct model *facts)
{
    size_t group = facts->heads / facts->kv_heads, rows = (pass->tokens * facts->kv_heads + pass->threads) * group;
    pass->attention.group = group;
    pass->attention.most = take(room, rows * sizeof(float));
    pass->attention.sum = take(room, rows * sizeof(float));
    pass->attention.out = take(room, rows * model_head_padded(facts) * sizeof(float));
}

/** Everything but the GEMMs. Keys and values are of this many layers. */
static void lay_out(struct prefill_pass *pass, struct room *room, const struct model *facts,
                    const struct decode_kernels *kernels, size_t distinct)
{
    size_t tokens = pass->tokens, threads = pass->threads, row_values = model_head_padded(facts);
    size_t half = facts->rope_values / 2, cache = distinct * facts->kv_heads * tokens * row_values;
    for (int role = 0; role <= DECODE_ROLES; role++) {
        size_t m, k;
        decode_shape(facts, role, &m, &k);
        if (role != DECODE_K && role != DECODE_V && role != DECODE_UP)
            lay_out_input(pass, room, kernels, decode_group_of(role), k);
        lay_out_results(pass, room, kernels, role, m);
    }
    pass->residual = take(room, tokens * prefill_padded(facts->hidden) * sizeof(float));
    pass->queries = take(room, tokens * facts->heads * row_values * sizeof(float));
    pass->cosine = take(room, tokens * half * sizeof(float));
    pass->sine = take(room, tokens * half * sizeof(float));
    pass->gates[0] = take(room, threads * prefill_padded(facts->ffn) * sizeof(float));
    pass->gates[1] = take(room, threads * prefill_padded(facts->ffn) * sizeof(float));
    pass->scratch = take(room, threads * pass->scratch_bytes);
    pass->keys = take(room, cache * sizeof *pass->keys);
    pass->values = take(room, cache * sizeof *pass->values);
    if (pass->batch)
        lay_out_attention(pass, room, facts);
    pass->logits = take(room, tokens_of(pass, true) * facts->vocabulary * sizeof *pass->logits);
}

/** The most that attention needs, of all code there is: which one runs is not known here. */
static size_t attention_scratch(const struct model *facts)
{
    size_t most = 0;
    for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++) {
        size_t bytes = (*at)->part == LAYER_PREFILL_ATTENTION
                           ? (*at)->prefill_attention.scratch_bytes(model_head_padded(facts))
                           : 0;
        most = bytes > most ? bytes : most;
    }
    return (most + LINE - 1) / LINE * LINE;
}

uint64_t prefill_pass_bytes(const struct model *facts, const struct decode_kernels *kernels, size_t tokens,
                            size_t distinct, unsigned threads)
{
    struct prefill_pass pass = {
        .tokens = tokens, .batch = !distinct, .threads = threads, .scratch_bytes = attention_scratch(facts)};
    struct room room = {NULL, 0};
    lay_out(&pass, &room, facts, kernels, distinct);
    for (int role = 0; role <= DECODE_ROLES; role++) {
        size_t m, k, of = tokens_of(&pass, role == DECODE_ROLES);
        decode_shape(facts, role, &m, &k);
        for (size_t i = 0; i < kernels->count[role]; i++)
            room.used += threads * (uint64_t)kernel_gemm_scratch_bytes(kernels->of[role][i], k, of);
    }
    return room.used;
}

/* ---- the GEMMs ---- */

static const struct prefill_operand *operand_of(const struct prefill_input *input, const struct kernel *kernel)
{
    size_t at = 0;
    while (!prefill_shares_operand(input->operand[at].kernel, kernel, input->k))
        at++;
    return &input->operand[at];
}

static int open_product(struct prefill_pass *pass, struct prefill_product *product, const struct decode_matrix *matrix,
                        int role)
{
    const struct prefill_input *input = &pass->input[decode_group_of(role)];
    const struct prefill_operand *operand = operand_of(input, matrix->kernel);
    bool int8 = matrix->kernel->takes == KERNEL_TAKES_INT8;
    void *taken = int8 ? (void *)input->q : (void *)input->x;
    const struct gemm_vectors vectors = {.stride = int8 ? input->q_stride : input->stride,
                                         .out_stride = pass->results[role].stride,
                                         .activations = operand->order ? operand->ordered : taken,
                                         .source = operand->order ? taken : NULL,
                                         .order = operand->order,
                                         .prepared = operand->prepared,
                                         .scales = input->scales,
                                         .corrections = operand->corrections,
                                         .out = pass->results[role].out};
    product->operand = operand;
    return gemm_prepare_shared(&product->gemm, matrix->kernel, matrix->m, matrix->k, input->tokens, pass->threads,
                               &vectors);
}

/** One for each role and kernel. */
static int open_products(struct prefill_pass *pass, const struct decode_kernels *kernels)
{
    const struct decode_model *model = pass->model;
    size_t most = 0, matrices = decode_matrices(model);
    for (int role = 0; role <= DECODE_ROLES; role++)
        most += kernels->count[role];
    pass->product = aligned_alloc(LINE, (most * sizeof *pass->product + LINE - 1) / LINE * LINE);
    pass->of = calloc(matrices, sizeof(struct prefill_product *));
    int error = pass->product && pass->of ? 0 : -ENOMEM;
    for (size_t i = 0; !error && i < matrices; i++) {
        int role = decode_role_at(model, i);
        const struct decode_matrix *matrix = decode_matrix_at(model, i);
        for (size_t before = i % DECODE_ROLES; role < DECODE_ROLES && before < i && !pass->of[i];
             before += DECODE_ROLES)
            pass->of[i] = pass->of[before]->gemm.kernel == matrix->kernel ? pass->of[before] : NULL;
        if (pass->of[i])
            continue;
        pass->of[i] = &pass->product[pass->products++];
        pass->results[role].last = pass->of[i];
        error = open_product(pass, pass->of[i], matrix, role);
    }
    return error;
}

/** Pages are there before a pass, from the nodes of all members in turn. */
static void touch_block(void *context, unsigned member)
{
    struct prefill_pass *pass = context;
    size_t first = decode_share(pass->block.length, member, pass->threads),
           end = decode_share(pass->block.length, member + 1, pass->threads);
    if (memory_populate(&pass->block, first, end - first, NULL))
        __atomic_store_n(&pass->error, -ENOMEM, __ATOMIC_RELAXED);
}

static void touch(void *context, unsigned member)
{
    struct prefill_pass *pass = context;
    for (size_t i = 0; i < pass->products; i++) {
        if (gemm_touch(&pass->product[i].gemm, member))
            __atomic_store_n(&pass->error, -ENOMEM, __ATOMIC_RELAXED);
    }
}

/** What a pass cannot run; else the kernels of the model. */
static int refuse(const struct decode_model *model, const struct decode_cache *cache, size_t tokens,
                  struct decode_kernels *kernels, char *why, size_t size)
{
    const struct model *facts = &model->facts;
    if (decode_refuse(model, why, size))
        return -EINVAL;
    *kernels = (struct decode_kernels){0};
    for (size_t i = 0; i < decode_matrices(model); i++) {
        int role = decode_role_at(model, i);
        const struct decode_matrix *matrix = decode_matrix_at(model, i);
        if (!matrix->kernel->gemm.run || matrix->tokens != (role == DECODE_ROLES && !cache ? 1 : tokens)) {
            snprintf(why, size, "%s: not all its matrices are assigned for GEMMs with %zu tokens", facts->name, tokens);
            return -EINVAL;
        }
        if (decode_kernels_add(kernels, role, matrix->kernel)) {
            snprintf(why, size, "%s: its matrices %s have more than %d kernels", facts->name, decode_role_name(role),
                     DECODE_KERNELS_MOST);
            return -EINVAL;
        }
    }
    return 0;
}

static void draw_orders(struct prefill_pass *pass)
{
    for (int group = 0; group < DECODE_GROUPS; group++) {
        struct prefill_input *input = &pass->input[group];
        for (size_t i = 0; i < input->operands; i++) {
            if (input->operand[i].order)
                column_order_draw(input->operand[i].kernel->format, input->k, input->operand[i].order);
        }
    }
}

static int open_in(struct prefill_pass *pass, const struct decode_kernels *kernels)
{
    struct room room = {NULL, 0};
    const struct decode_model *model = pass->model;
    size_t stored = pass->batch ? 0 : model->distinct;
    lay_out(pass, &room, &model->facts, kernels, stored);
    int error = memory_reserve(room.used, &pass->block);
    if (error)
        return error;
    room = (struct room){pass->block.bytes, 0};
    lay_out(pass, &room, &model->facts, kernels, stored);
    team_run(pass->team, touch_block, pass);
    if (pass->error)
        return pass->error;
    size_t half = model->facts.rope_values / 2;
    for (size_t token = 0; token < pass->tokens; token++)
        decode_rope_angles(&model->facts,
                           pass->batch ? decode_lengths_of(&pass->attention.cache->lengths, token) - 1 : token,
                           pass->cosine + token * half, pass->sine + token * half);
    draw_orders(pass);
    error = open_products(pass, kernels);
    if (error)
        return error;
    team_run(pass->team, touch, pass);
    return pass->error;
}

/* ---------------------------------------------------------------- a pass that is watched */

/** take() leaves room after the results. */
static uint8_t *guard_of(const void *pass, int role)
{
    const struct prefill_results *of = &((const struct prefill_pass *)pass)->results[role];
    return (uint8_t *)(of->out + of->tokens * of->stride);
}

static int verify_role(const void *pass, int role, uint64_t seed, struct reference_check *check)
{
    return gemm_verify(&((const struct prefill_pass *)pass)->results[role].last->gemm, seed, check);
}

static const struct pass_results results = {.guard = guard_of, .verify = verify_role};

struct watched_pass *prefill_pass_watched(struct prefill_pass *pass)
{
    return &pass->watched;
}

/* ---------------------------------------------------------------- a pass */

int prefill_pass_open(struct prefill_pass **result, const struct decode_model *model, const struct decode_cache *cache,
                      size_t tokens, size_t layers, const struct decode_code *code, struct team *team, char *why,
                      size_t size)
{
    struct decode_kernels kernels;
    int error = refuse(model, cache, tokens, &kernels, why, size);
    if (error)
        return error;
    struct prefill_pass *pass = calloc(1, sizeof *pass);
    snprintf(why, size, "no memory for a pass of %s over %zu tokens", model->facts.name, tokens);
    if (!pass)
        return -ENOMEM;
    *pass = (struct prefill_pass){.model = model,
                                  .code = code,
                                  .tokens = tokens,
                                  .batch = cache != NULL,
                                  .layers = layers,
                                  .threads = team_threads(team),
                                  .team = team,
                                  .attention = {.cache = cache, .code = code->part[LAYER_ATTENTION]},
                                  .watch = {.team = team},
                                  .watched = {.pass = pass, .results = &results},
                                  .unit_tokens = prefill_unit_tokens(&model->facts, tokens, team_threads(team)),
                                  .scratch_bytes = attention_scratch(&model->facts)};
    error = open_in(pass, &kernels);
    if (error) {
        prefill_pass_close(pass);
        return error;
    }
    *result = pass;
    return 0;
}

void prefill_pass_close(struct prefill_pass *pass)
{
    if (!pass)
        return;
    for (size_t i = 0; i < pass->products; i++)
        gemm_release(&pass->product[i].gemm);
    free(pass->product);
    free(pass->of);
    if (pass->block.bytes)
        memory_release(&pass->block);
    free(pass);
}

const float *prefill_pass_logits(const struct prefill_pass *pass)
{
    return pass->logits;
}

size_t prefill_pass_met(const struct prefill_pass *pass)
{
    return pass->watch.joins;
}

size_t prefill_pass_stamps(const struct prefill_pass *pass)
{
    return pass->watch.stamps;
}
