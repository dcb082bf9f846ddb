/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/decode/pass_results.h"
#include "harness/decode/prefill_state.h"
#include "micro/quantization/column_order.h"

enum { LINE = 64, PLACES = 37 };

void prefill_embedding(const struct decode_model *model, size_t token, float *x)
{
    size_t hidden = model->facts.hidden, from = token * PLACES % hidden;
    memcpy(x, model->embedding + from, (hidden - from) * sizeof *x);
    memcpy(x + hidden - from, model->embedding, from * sizeof *x);
}

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

static void lay_out_input(struct prefill_input *input, struct room *room, const struct kernel *kernel, size_t k,
                          size_t tokens)
{
    bool int8 = kernel->takes == KERNEL_TAKES_INT8;
    size_t prepared = kernel->gemm.prepare_many ? kernel_gemm_prepared_bytes(kernel, k, tokens) : 0;
    *input = (struct prefill_input){.kernel = kernel, .k = k, .tokens = tokens, .taken_stride = gemm_stride(kernel, k)};
    input->stride = int8 ? prefill_padded(k) : input->taken_stride;
    input->x = take(room, tokens * input->stride * sizeof *input->x);
    input->q = int8 ? take(room, tokens * input->taken_stride) : NULL;
    input->scales = take(room, tokens * sizeof *input->scales);
    input->corrections = take(room, tokens * sizeof *input->corrections);
    size_t groups = column_order_groups(kernel->format, k);
    input->order = groups ? take(room, groups * sizeof *input->order) : NULL;
    input->ordered = groups ? take(room, tokens * input->taken_stride * kernel_activation_bytes(kernel)) : NULL;
    input->prepared = prepared ? take(room, prepared) : NULL;
}

/** Everything but the GEMMs; their results to out. Keys and values are of this many layers. */
static void lay_out(struct prefill_pass *pass, struct room *room, const struct model *facts,
                    const struct kernel *kernel, const struct kernel *head, size_t distinct,
                    float *out[DECODE_ROLES + 1])
{
    size_t tokens = pass->tokens, threads = pass->threads, row_values = model_head_padded(facts);
    size_t half = facts->rope_values / 2, cache = distinct * facts->kv_heads * tokens * row_values;
    for (int role = 0; role < DECODE_ROLES; role++) {
        size_t m, k;
        enum decode_group group = decode_group_of((enum decode_role)role);
        decode_shape(facts, (enum decode_role)role, &m, &k);
        if (role != DECODE_K && role != DECODE_V && role != DECODE_UP)
            lay_out_input(&pass->input[group], room, kernel, k, tokens);
        out[role] = take(room, tokens * gemm_out_stride(kernel, m) * sizeof(float));
    }
    lay_out_input(&pass->input[DECODE_GROUP_HEAD], room, head, facts->hidden, 1);
    out[DECODE_ROLES] = take(room, gemm_out_stride(head, facts->vocabulary) * sizeof(float));
    pass->residual = take(room, tokens * prefill_padded(facts->hidden) * sizeof(float));
    pass->queries = take(room, tokens * facts->heads * row_values * sizeof(float));
    pass->cosine = take(room, tokens * half * sizeof(float));
    pass->sine = take(room, tokens * half * sizeof(float));
    pass->gates[0] = take(room, threads * prefill_padded(facts->ffn) * sizeof(float));
    pass->gates[1] = take(room, threads * prefill_padded(facts->ffn) * sizeof(float));
    pass->scratch = take(room, threads * pass->scratch_bytes);
    pass->keys = take(room, cache * sizeof *pass->keys);
    pass->values = take(room, cache * sizeof *pass->values);
    pass->logits = take(room, facts->vocabulary * sizeof *pass->logits);
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

uint64_t prefill_pass_bytes(const struct model *facts, const struct kernel *kernel, const struct kernel *head,
                            size_t tokens, size_t distinct, unsigned threads)
{
    struct prefill_pass pass = {.tokens = tokens, .threads = threads, .scratch_bytes = attention_scratch(facts)};
    struct room room = {NULL, 0};
    float *out[DECODE_ROLES + 1];
    lay_out(&pass, &room, facts, kernel, head, distinct, out);
    for (int role = 0; role < DECODE_ROLES; role++) {
        size_t m, k;
        decode_shape(facts, (enum decode_role)role, &m, &k);
        room.used += threads * (uint64_t)kernel_gemm_scratch_bytes(kernel, k, tokens);
    }
    return room.used + threads * (uint64_t)kernel_gemm_scratch_bytes(head, facts->hidden, 1);
}

static int open_gemms(struct prefill_pass *pass, float *const out[DECODE_ROLES + 1])
{
    int error = 0;
    for (int role = 0; !error && role <= DECODE_ROLES; role++) {
        const struct decode_matrix *matrix =
            role < DECODE_ROLES ? &pass->model->layer[0].matrix[role] : &pass->model->head;
        const struct prefill_input *input =
            &pass->input[role < DECODE_ROLES ? decode_group_of((enum decode_role)role) : DECODE_GROUP_HEAD];
        void *taken = input->q ? (void *)input->q : (void *)input->x;
        const struct gemm_vectors vectors = {.activations = input->order ? input->ordered : taken,
                                             .source = input->order ? taken : NULL,
                                             .order = input->order,
                                             .prepared = input->prepared,
                                             .scales = input->scales,
                                             .corrections = input->corrections,
                                             .out = out[role]};
        error = gemm_prepare_shared(&pass->gemm[role], matrix->kernel, matrix->m, matrix->k, input->tokens,
                                    pass->threads, &vectors);
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
    for (int role = 0; role <= DECODE_ROLES; role++) {
        if (gemm_touch(&pass->gemm[role], member))
            __atomic_store_n(&pass->error, -ENOMEM, __ATOMIC_RELAXED);
    }
}

static int refuse(const struct decode_model *model, size_t tokens, char *why, size_t size)
{
    const struct model *facts = &model->facts;
    const struct kernel *kernel = model->layer[0].matrix[0].kernel;
    if (decode_refuse(model, why, size))
        return -EINVAL;
    for (size_t i = 0; i <= model->distinct * DECODE_ROLES; i++) {
        bool head = i == model->distinct * DECODE_ROLES;
        const struct decode_matrix *matrix =
            head ? &model->head : &model->layer[i / DECODE_ROLES].matrix[i % DECODE_ROLES];
        if (!matrix->kernel->gemm.run || (!head && matrix->kernel != kernel) || matrix->tokens != (head ? 1 : tokens)) {
            snprintf(why, size, "%s: not all its matrices are assigned for the GEMM of one kernel with %zu tokens",
                     facts->name, tokens);
            return -EINVAL;
        }
    }
    return 0;
}

static int open_in(struct prefill_pass *pass, const struct kernel *kernel)
{
    struct room room = {NULL, 0};
    float *out[DECODE_ROLES + 1];
    const struct decode_model *model = pass->model;
    lay_out(pass, &room, &model->facts, kernel, model->head.kernel, model->distinct, out);
    int error = memory_reserve(room.used, &pass->block);
    if (error)
        return error;
    room = (struct room){pass->block.bytes, 0};
    lay_out(pass, &room, &model->facts, kernel, model->head.kernel, model->distinct, out);
    team_run(pass->team, touch_block, pass);
    if (pass->error)
        return pass->error;
    size_t half = model->facts.rope_values / 2;
    for (size_t token = 0; token < pass->tokens; token++)
        decode_rope_angles(&model->facts, token, pass->cosine + token * half, pass->sine + token * half);
    for (int group = 0; group < DECODE_GROUPS; group++) {
        struct prefill_input *input = &pass->input[group];
        if (input->order)
            column_order_draw(input->kernel->format, input->k, input->order);
    }
    error = open_gemms(pass, out);
    if (error)
        return error;
    team_run(pass->team, touch, pass);
    return pass->error;
}

int prefill_pass_open(struct prefill_pass **result, const struct decode_model *model, size_t tokens, size_t layers,
                      const struct decode_code *code, struct team *team, char *why, size_t size)
{
    int error = refuse(model, tokens, why, size);
    if (error)
        return error;
    struct prefill_pass *pass = calloc(1, sizeof *pass);
    const struct kernel *kernel = model->layer[0].matrix[0].kernel;
    snprintf(why, size, "no memory for a pass of %s over %zu tokens", model->facts.name, tokens);
    if (!pass)
        return -ENOMEM;
    *pass = (struct prefill_pass){.model = model,
                                  .code = code,
                                  .tokens = tokens,
                                  .layers = layers,
                                  .threads = team_threads(team),
                                  .team = team,
                                  .unit_tokens = prefill_unit_tokens(&model->facts, tokens, team_threads(team)),
                                  .scratch_bytes = attention_scratch(&model->facts)};
    pass->steps = prefill_layer_steps(&model->facts, kernel, pass->step);
    error = open_in(pass, kernel);
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
    for (int role = 0; role <= DECODE_ROLES; role++)
        gemm_release(&pass->gemm[role]);
    if (pass->block.bytes)
        memory_release(&pass->block);
    free(pass);
}

/* ---------------------------------------------------------------- a pass that is watched */

/** take() leaves room after the results. */
static uint8_t *guard_of(const void *pass, int role)
{
    const struct prefill_pass *of = pass;
    const struct gemm *gemm = &of->gemm[role];
    return (uint8_t *)(gemm->out + (role == DECODE_ROLES ? 1 : of->tokens) * gemm->out_stride);
}

static int verify_role(const void *pass, int role, uint64_t seed, struct reference_check *check)
{
    return gemm_verify(&((const struct prefill_pass *)pass)->gemm[role], seed, check);
}

static const struct pass_results results = {guard_of, verify_role};

void prefill_pass_watch(struct prefill_pass *pass, const struct decode_hooks *around)
{
    pass->around = around;
    if (around)
        pass_results_guard(&results, pass);
}

bool prefill_pass_overran(const struct prefill_pass *pass)
{
    return pass_results_overran(&results, pass);
}

int prefill_pass_verify(struct prefill_pass *pass, uint64_t seed, struct reference_check *check, int *wrong_role)
{
    return pass_results_verify(&results, pass, seed, check, wrong_role);
}

void prefill_pass_release_vectors(struct prefill_pass *pass)
{
    pass->releases_vectors = true;
}

/* ---------------------------------------------------------------- what a pass was */

const float *prefill_pass_logits(const struct prefill_pass *pass)
{
    return pass->logits;
}
