/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/prefill_pass.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/memory.h"

enum { LINE = 64, HEAD_SIZE_MOST = DECODE_HEAD_SIZE_MOST, PLACES = 37 };

/** What the matrices of a group read, a row a token; of the head one row. */
struct input {
    const struct kernel *kernel;
    size_t k, tokens, stride, taken_stride; /* of floats; of what the kernel takes */
    float *x;                               /* [tokens][stride], zero past k */
    int8_t *q;                              /* [tokens][taken_stride]; NULL: the kernel takes floats, from x */
    float *scales;                          /* [tokens] of q */
    int32_t *corrections;
    uint8_t *prepared;
};

struct prefill_pass {
    const struct decode_model *model;
    const struct decode_code *code;
    size_t tokens;
    unsigned threads;
    struct input input[DECODE_GROUPS];
    struct gemm gemm[DECODE_ROLES + 1]; /* of each role, whose weights are those of the layer that runs; of the head */
    float *residual;                    /* [tokens][hidden, padded] */
    float *queries;                     /* [tokens][heads][padded] */
    float *cosine, *sine;               /* [tokens][rope_values / 2] */
    float *gates[2];                    /* [threads][ffn, padded] */
    float *attended;                    /* [threads][group][padded] */
    uint16_t *keys, *values;            /* bf16 [layers][kv_heads][tokens][padded] */
    float *logits;
    int error; /* of a member that found no memory for its scratch */
    struct memory_block block;
    struct decode_watch watch;
};

static size_t padded(size_t values)
{
    return (values + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
}

void prefill_embedding(const struct decode_model *model, size_t token, float *x)
{
    size_t hidden = model->facts.hidden, from = token * PLACES % hidden;
    memcpy(x, model->embedding + from, (hidden - from) * sizeof *x);
    memcpy(x + hidden - from, model->embedding, from * sizeof *x);
}

/* ---------------------------------------------------------------- steps */

static void end_part(struct prefill_pass *pass, unsigned member, enum decode_part part)
{
    decode_watch_join(&pass->watch, member);
    decode_watch_stamp(&pass->watch, member, part);
}

static size_t first_of(const struct prefill_pass *pass, size_t count, unsigned member)
{
    return decode_share(count, member, pass->threads);
}

static float *row_of(const struct input *input, size_t token)
{
    return input->x + token * input->stride;
}

/** Rows of a matrix for a token are so many times what the kernel gave. Results in int32 have the token's scale already. */
static float scale_of(const struct prefill_pass *pass, const struct decode_matrix *matrix, enum decode_group group,
                      size_t token)
{
    bool scaled = matrix->kernel->takes != KERNEL_TAKES_INT8 || matrix->kernel->gives == KERNEL_GIVES_INT32;
    return scaled ? matrix->scale : matrix->scale * pass->input[group].scales[token];
}

static const float *out_of(const struct prefill_pass *pass, int role, size_t token)
{
    return pass->gemm[role].out + token * pass->gemm[role].out_stride;
}

static void scale_rows(const struct prefill_pass *pass, const struct decode_layer *layer, enum decode_role role,
                       size_t token, size_t first, size_t count, float more, float *out)
{
    const struct decode_matrix *matrix = &layer->matrix[role];
    float by = more * scale_of(pass, matrix, decode_group_of(role), token);
    pass->code->part[LAYER_SCALE]->scale.from_f32(out_of(pass, role, token) + first, by, count, out);
}

/** The rows of the matrix before, if there is one, to the residuals, and their norms to a group's rows, the last tokens. */
static void add_and_norm(struct prefill_pass *pass, unsigned member, const struct decode_layer *before,
                         enum decode_role role, const float *gain, enum decode_group to)
{
    const struct decode_model *model = pass->model;
    const struct input *input = &pass->input[to];
    size_t hidden = model->facts.hidden, end = first_of(pass, input->tokens, member + 1);
    for (size_t i = first_of(pass, input->tokens, member); i < end; i++) {
        size_t token = pass->tokens - input->tokens + i;
        float *residual = pass->residual + token * padded(hidden);
        if (before)
            pass->code->part[LAYER_SCALE]->scale.add_f32(
                out_of(pass, role, token), scale_of(pass, &before->matrix[role], decode_group_of(role), token), hidden,
                residual);
        pass->code->part[LAYER_NORM]->norm(residual, gain, hidden, model->epsilon, row_of(input, i));
    }
    end_part(pass, member, DECODE_PART_NORM);
}

static void sub_norm(struct prefill_pass *pass, unsigned member, const float *gain, enum decode_group of)
{
    const struct input *input = &pass->input[of];
    size_t end = first_of(pass, input->tokens, member + 1);
    if (!gain)
        return;
    for (size_t i = first_of(pass, input->tokens, member); i < end; i++)
        pass->code->part[LAYER_NORM]->norm(row_of(input, i), gain, input->k, pass->model->epsilon, row_of(input, i));
    end_part(pass, member, DECODE_PART_NORM);
}

/** From the rows of a group to what its kernel reads. */
static void make_operands(struct prefill_pass *pass, unsigned member, enum decode_group group, int role)
{
    struct input *input = &pass->input[group];
    size_t end = first_of(pass, input->tokens, member + 1);
    for (size_t i = first_of(pass, input->tokens, member); input->q && i < end; i++) {
        struct quantized made =
            pass->code->quantizer->from_f32(row_of(input, i), input->k, input->q + i * input->taken_stride);
        input->scales[i] = made.scale;
        input->corrections[i] = -input->kernel->format->activation_offset * made.sum;
    }
    if (input->q)
        end_part(pass, member, DECODE_PART_QUANTIZE);
    if (!input->prepared)
        return;
    gemm_prepare_member(&pass->gemm[role], member);
    end_part(pass, member, DECODE_PART_OPERAND);
}

static void run_gemm(struct prefill_pass *pass, unsigned member, const struct decode_matrix *matrix, int role)
{
    pass->gemm[role].members[member].weights = matrix->stretch[member];
    gemm_run_member(&pass->gemm[role], member,
                    1); /* equal shares draw no pieces, which a generation would tell apart */
}

/* ---- attention ---- */

static void rotate(const struct prefill_pass *pass, size_t token, float *head)
{
    size_t half = pass->model->facts.rope_values / 2;
    pass->code->part[LAYER_ROPE]->rope(head, pass->cosine + token * half, pass->sine + token * half, half, head);
}

/** Of the keys or values of a layer, a head's of all positions. */
static uint16_t *cached(const struct prefill_pass *pass, uint16_t *rows, size_t index, size_t head)
{
    const struct model *facts = &pass->model->facts;
    return rows + (index * facts->kv_heads + head) * pass->tokens * model_head_padded(facts);
}

static void store(struct prefill_pass *pass, size_t index, size_t token, size_t head, enum decode_role role)
{
    const struct model *facts = &pass->model->facts;
    size_t row_values = model_head_padded(facts);
    _Alignas(LINE) float row[HEAD_SIZE_MOST];
    memset(row + facts->head_size, 0, (row_values - facts->head_size) * sizeof *row);
    scale_rows(pass, &pass->model->layer[index % pass->model->distinct], role, token, head * facts->head_size,
               facts->head_size, 1, row);
    if (role == DECODE_K)
        rotate(pass, token, row);
    uint16_t *rows = cached(pass, role == DECODE_K ? pass->keys : pass->values, index, head);
    pass->code->part[LAYER_ATTENTION]->attention.store(row, row_values, rows + token * row_values);
}

static void run_rope(struct prefill_pass *pass, unsigned member, size_t index)
{
    const struct model *facts = &pass->model->facts;
    const struct decode_layer *layer = &pass->model->layer[index % pass->model->distinct];
    size_t row_values = model_head_padded(facts), end = first_of(pass, pass->tokens, member + 1);
    for (size_t token = first_of(pass, pass->tokens, member); token < end; token++) {
        for (size_t head = 0; head < facts->heads; head++) {
            float *query = pass->queries + (token * facts->heads + head) * row_values;
            scale_rows(pass, layer, DECODE_Q, token, head * facts->head_size, facts->head_size,
                       1 / sqrtf((float)facts->head_size), query);
            rotate(pass, token, query);
        }
        for (size_t head = 0; head < facts->kv_heads; head++) {
            store(pass, index, token, head, DECODE_K);
            store(pass, index, token, head, DECODE_V);
        }
    }
    end_part(pass, member, DECODE_PART_ROPE);
}

/** The query heads of a token that share a key-value head, over the positions up to the token's. */
static void attend(struct prefill_pass *pass, unsigned member, size_t index, size_t token, size_t head)
{
    const struct model *facts = &pass->model->facts;
    const struct layer_kernel *code = pass->code->part[LAYER_ATTENTION];
    size_t group = facts->heads / facts->kv_heads, row_values = model_head_padded(facts);
    _Alignas(LINE) float merged[HEAD_SIZE_MOST];
    float most[group], sum[group], *out = pass->attended + member * group * row_values;
    const struct layer_attention attention = {
        .queries = pass->queries + (token * facts->heads + head * group) * row_values,
        .heads = group,
        .size = row_values,
        .keys = cached(pass, pass->keys, index, head),
        .values = cached(pass, pass->values, index, head),
        .positions = token + 1,
        .most = most,
        .sum = sum,
        .out = out,
    };
    code->attention.attend(&attention);
    for (size_t i = 0; i < group; i++) {
        const struct layer_attention_part whole = {most[i], sum[i], out + i * row_values};
        code->attention.merge(&whole, 1, row_values, merged);
        memcpy(row_of(&pass->input[DECODE_GROUP_O], token) + (head * group + i) * facts->head_size, merged,
               facts->head_size * sizeof *merged);
    }
}

/** Token after token of each head, dealt forth and back: of two neighbours that differ by one position, each is first in turn. */
static void run_attention(struct prefill_pass *pass, unsigned member, size_t index)
{
    size_t units = pass->model->facts.kv_heads * pass->tokens;
    for (size_t turn = 0; turn * pass->threads < units; turn++) {
        size_t unit = turn * pass->threads + (turn % 2 ? pass->threads - 1 - member : member);
        if (unit < units)
            attend(pass, member, index, unit % pass->tokens, unit / pass->tokens);
    }
    end_part(pass, member, DECODE_PART_ATTENTION);
}

/* ---- a layer ---- */

static void run_gate(struct prefill_pass *pass, unsigned member, const struct decode_layer *layer)
{
    const struct model *facts = &pass->model->facts;
    size_t end = first_of(pass, pass->tokens, member + 1);
    float *gate = pass->gates[0] + member * padded(facts->ffn), *up = pass->gates[1] + member * padded(facts->ffn);
    for (size_t token = first_of(pass, pass->tokens, member); token < end; token++) {
        scale_rows(pass, layer, DECODE_GATE, token, 0, facts->ffn, 1, gate);
        scale_rows(pass, layer, DECODE_UP, token, 0, facts->ffn, 1, up);
        pass->code->part[LAYER_GATE]->gate(facts->activation, gate, up, facts->ffn,
                                           row_of(&pass->input[DECODE_GROUP_DOWN], token));
    }
    end_part(pass, member, DECODE_PART_GATE);
}

static void run_layer(struct prefill_pass *pass, unsigned member, size_t index)
{
    const struct decode_model *model = pass->model;
    const struct decode_layer *layer = &model->layer[index % model->distinct];
    const struct decode_layer *before = index ? &model->layer[(index - 1) % model->distinct] : NULL;
    add_and_norm(pass, member, before, DECODE_DOWN, layer->gain[DECODE_NORM_ATTENTION], DECODE_GROUP_ATTENTION);
    make_operands(pass, member, DECODE_GROUP_ATTENTION, DECODE_Q);
    for (int role = DECODE_Q; role <= DECODE_V; role++)
        run_gemm(pass, member, &layer->matrix[role], role);
    end_part(pass, member, DECODE_PART_QKV);
    run_rope(pass, member, index);
    run_attention(pass, member, index);

    sub_norm(pass, member, layer->gain[DECODE_NORM_O], DECODE_GROUP_O);
    make_operands(pass, member, DECODE_GROUP_O, DECODE_O);
    run_gemm(pass, member, &layer->matrix[DECODE_O], DECODE_O);
    end_part(pass, member, DECODE_PART_O);

    add_and_norm(pass, member, layer, DECODE_O, layer->gain[DECODE_NORM_FFN], DECODE_GROUP_FFN);
    make_operands(pass, member, DECODE_GROUP_FFN, DECODE_GATE);
    run_gemm(pass, member, &layer->matrix[DECODE_GATE], DECODE_GATE);
    run_gemm(pass, member, &layer->matrix[DECODE_UP], DECODE_UP);
    end_part(pass, member, DECODE_PART_GATE_UP);
    run_gate(pass, member, layer);

    sub_norm(pass, member, layer->gain[DECODE_NORM_DOWN], DECODE_GROUP_DOWN);
    make_operands(pass, member, DECODE_GROUP_DOWN, DECODE_DOWN);
    run_gemm(pass, member, &layer->matrix[DECODE_DOWN], DECODE_DOWN);
    end_part(pass, member, DECODE_PART_DOWN);
}

static void run_head(struct prefill_pass *pass, unsigned member)
{
    const struct decode_model *model = pass->model;
    const struct decode_layer *last = &model->layer[(model->facts.layers - 1) % model->distinct];
    add_and_norm(pass, member, last, DECODE_DOWN, model->last_gain, DECODE_GROUP_HEAD);
    make_operands(pass, member, DECODE_GROUP_HEAD, DECODE_ROLES);
    run_gemm(pass, member, &model->head, DECODE_ROLES);
    decode_watch_join(&pass->watch, member);
    size_t first = first_of(pass, model->head.m, member), end = first_of(pass, model->head.m, member + 1);
    pass->code->part[LAYER_SCALE]->scale.from_f32(out_of(pass, DECODE_ROLES, 0) + first,
                                                  scale_of(pass, &model->head, DECODE_GROUP_HEAD, 0), end - first,
                                                  pass->logits + first);
    end_part(pass, member, DECODE_PART_HEAD);
}

void prefill_pass_run(struct prefill_pass *pass, unsigned member, struct decode_ticks *ticks)
{
    size_t row = padded(pass->model->facts.hidden), end = first_of(pass, pass->tokens, member + 1);
    /* a member norms the tokens that it sets */
    for (size_t token = first_of(pass, pass->tokens, member); token < end; token++)
        prefill_embedding(pass->model, token, pass->residual + token * row);
    if (member == 0)
        decode_watch_begin(&pass->watch);
    for (size_t index = 0; index < pass->model->facts.layers; index++)
        run_layer(pass, member, index);
    run_head(pass, member);
    if (member == 0 && ticks)
        *ticks = pass->watch.ticks;
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

static void lay_out_input(struct input *input, struct room *room, const struct kernel *kernel, size_t k, size_t tokens)
{
    bool int8 = kernel->takes == KERNEL_TAKES_INT8;
    size_t prepared = kernel->gemm.prepare_many ? kernel_gemm_prepared_bytes(kernel, k, tokens) : 0;
    *input = (struct input){.kernel = kernel, .k = k, .tokens = tokens, .taken_stride = gemm_stride(kernel, k)};
    input->stride = int8 ? padded(k) : input->taken_stride;
    input->x = take(room, tokens * input->stride * sizeof *input->x);
    input->q = int8 ? take(room, tokens * input->taken_stride) : NULL;
    input->scales = take(room, tokens * sizeof *input->scales);
    input->corrections = take(room, tokens * sizeof *input->corrections);
    input->prepared = prepared ? take(room, prepared) : NULL;
}

/** Everything but the GEMMs; their results to out. */
static void lay_out(struct prefill_pass *pass, struct room *room, const struct model *facts,
                    const struct kernel *kernel, const struct kernel *head, float *out[DECODE_ROLES + 1])
{
    size_t tokens = pass->tokens, threads = pass->threads, row_values = model_head_padded(facts);
    size_t half = facts->rope_values / 2, cache = facts->layers * facts->kv_heads * tokens * row_values;
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
    pass->residual = take(room, tokens * padded(facts->hidden) * sizeof(float));
    pass->queries = take(room, tokens * facts->heads * row_values * sizeof(float));
    pass->cosine = take(room, tokens * half * sizeof(float));
    pass->sine = take(room, tokens * half * sizeof(float));
    pass->gates[0] = take(room, threads * padded(facts->ffn) * sizeof(float));
    pass->gates[1] = take(room, threads * padded(facts->ffn) * sizeof(float));
    pass->attended = take(room, threads * facts->heads / facts->kv_heads * row_values * sizeof(float));
    pass->keys = take(room, cache * sizeof *pass->keys);
    pass->values = take(room, cache * sizeof *pass->values);
    pass->logits = take(room, facts->vocabulary * sizeof *pass->logits);
}

uint64_t prefill_pass_bytes(const struct model *facts, const struct kernel *kernel, const struct kernel *head,
                            size_t tokens, unsigned threads)
{
    struct prefill_pass pass = {.tokens = tokens, .threads = threads};
    struct room room = {NULL, 0};
    float *out[DECODE_ROLES + 1];
    lay_out(&pass, &room, facts, kernel, head, out);
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
        const struct input *input =
            &pass->input[role < DECODE_ROLES ? decode_group_of((enum decode_role)role) : DECODE_GROUP_HEAD];
        const struct gemm_vectors vectors = {.activations = input->q ? (void *)input->q : (void *)input->x,
                                             .prepared = input->prepared,
                                             .scales = input->scales,
                                             .corrections = input->corrections,
                                             .out = out[role]};
        error = gemm_prepare_shared(&pass->gemm[role], matrix->kernel, matrix->m, matrix->k, input->tokens,
                                    pass->threads, &vectors);
    }
    return error;
}

static void touch(void *context, unsigned member)
{
    struct prefill_pass *pass = context;
    for (int role = 0; role <= DECODE_ROLES; role++) {
        if (gemm_touch(&pass->gemm[role], member))
            __atomic_store_n(&pass->error, -ENOMEM, __ATOMIC_RELAXED);
    }
}

static void draw_angles(struct prefill_pass *pass)
{
    const struct model *facts = &pass->model->facts;
    size_t half = facts->rope_values / 2;
    for (size_t i = 0; i < pass->tokens * half; i++) {
        double angle =
            (double)(i / half) * pow(facts->rope_base, -2.0 * (double)(i % half) / (double)facts->rope_values);
        pass->cosine[i] = (float)cos(angle);
        pass->sine[i] = (float)sin(angle);
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
            snprintf(why, size, "%s: not all its matrices are dealt for the GEMM of one kernel of %zu tokens",
                     facts->name, tokens);
            return -EINVAL;
        }
    }
    return 0;
}

int prefill_pass_open(struct prefill_pass **result, const struct decode_model *model, size_t tokens,
                      const struct decode_code *code, struct team *team, char *why, size_t size)
{
    int error = refuse(model, tokens, why, size);
    if (error)
        return error;
    struct prefill_pass *pass = calloc(1, sizeof *pass);
    const struct kernel *kernel = model->layer[0].matrix[0].kernel;
    struct room room = {NULL, 0};
    float *out[DECODE_ROLES + 1];
    snprintf(why, size, "no memory for a pass of %s over %zu tokens", model->facts.name, tokens);
    if (!pass)
        return -ENOMEM;
    *pass = (struct prefill_pass){
        .model = model, .code = code, .tokens = tokens, .threads = team_threads(team), .watch = {.team = team}};
    lay_out(pass, &room, &model->facts, kernel, model->head.kernel, out);
    error = memory_reserve(room.used, &pass->block);
    if (!error) {
        room = (struct room){pass->block.bytes, 0};
        lay_out(pass, &room, &model->facts, kernel, model->head.kernel, out);
        draw_angles(pass);
        error = open_gemms(pass, out);
    }
    if (!error) {
        team_run(team, touch, pass);
        error = pass->error;
    }
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

/* ---------------------------------------------------------------- what a pass was */

const float *prefill_pass_logits(const struct prefill_pass *pass)
{
    return pass->logits;
}

const struct decode_watch *prefill_pass_watch(const struct prefill_pass *pass)
{
    return &pass->watch;
}

int prefill_pass_verify(struct prefill_pass *pass, uint64_t seed, struct reference_check *check, int *wrong_role)
{
    *check = (struct reference_check){0};
    for (int role = 0; !check->wrong && role <= DECODE_ROLES; role++) {
        struct reference_check one;
        int error = gemm_verify(&pass->gemm[role], seed, &one);
        if (error)
            return error;
        check->rows += one.rows;
        check->wrong += one.wrong;
        *wrong_role = role;
    }
    return 0;
}
