/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "harness/decode/decode_state.h"

enum { LINE = 64, HEAD_SIZE_MOST = DECODE_HEAD_SIZE_MOST };

static void stamp(struct decode_pass *pass, unsigned member, enum decode_part part)
{
    decode_watch_stamp(&pass->watch, member, part);
}

static void join(struct decode_pass *pass, unsigned member)
{
    decode_watch_join(&pass->watch, member);
}

static float output_scale(const struct decode_pass *pass, const struct decode_matrix *matrix, enum decode_group group)
{
    return matrix->kernel->takes == KERNEL_TAKES_INT8 ? matrix->scale * pass->input[group].quantized.scale
                                                      : matrix->scale;
}

/** Rows [first, first + count) with their output scale. */
static void scale_rows(const struct decode_pass *pass, const struct decode_matrix *matrix, enum decode_group group,
                       const void *y, size_t first, size_t count, float more, float *out)
{
    const struct layer_kernel *scale = pass->code->part[LAYER_SCALE];
    float by = more * output_scale(pass, matrix, group);
    if (matrix->kernel->gives == KERNEL_GIVES_INT32)
        scale->scale.from_i32((const int32_t *)y + first, by, count, out);
    else
        scale->scale.from_f32((const float *)y + first, by, count, out);
}

static void add_rows(struct decode_pass *pass, const struct decode_matrix *matrix, enum decode_group group,
                     const void *y)
{
    const struct layer_kernel *scale = pass->code->part[LAYER_SCALE];
    float by = output_scale(pass, matrix, group);
    if (matrix->kernel->gives == KERNEL_GIVES_INT32)
        scale->scale.add_i32(y, by, matrix->m, pass->residual);
    else
        scale->scale.add_f32(y, by, matrix->m, pass->residual);
}

/** What GEMVs of the group do with the sum of their activations. */
static void tell_sum(struct gemv *gemv, const struct decode_vector *input)
{
    if (gemv->kernel->takes == KERNEL_TAKES_INT8)
        gemv->activation_sum = input->quantized.sum;
}

/** Around the operands of a vector, which are mostly of one kernel. */
static void begin_calls(const struct decode_pass *pass, const struct decode_vector *input, unsigned member)
{
    for (size_t i = 0; i < input->operands; i++)
        watched_pass_before(&pass->watched, input->operand[i].kernel, member);
}

static void end_calls(const struct decode_pass *pass, const struct decode_vector *input, unsigned member)
{
    for (size_t i = 0; i < input->operands; i++)
        watched_pass_after(&pass->watched, input->operand[i].kernel, member);
}

/** From the vector of a group to what its kernels read; ends at a barrier. */
static void make_operands(struct decode_pass *pass, unsigned member, size_t layer, enum decode_group group)
{
    struct decode_vector *input = &pass->input[group];
    if (member == 0) {
        if (input->int8)
            decode_vector_quantize(input, pass->code->quantizer);
        for (int role = 0; role <= DECODE_ROLES; role++) {
            if (decode_group_of(role) == group)
                tell_sum(decode_gemv_at(pass, layer, role), input);
        }
        stamp(pass, member, DECODE_PART_QUANTIZE);
        begin_calls(pass, input, member);
        decode_vector_prepare_alone(input);
        end_calls(pass, input, member);
    }
    if (decode_vector_is_shared(input)) {
        join(pass, member);
        begin_calls(pass, input, member);
        decode_vector_prepare_share(input, member, pass->threads);
        end_calls(pass, input, member);
    }
    join(pass, member);
    stamp(pass, member, DECODE_PART_OPERAND);
}

static void run_gemv(const struct decode_pass *pass, unsigned member, size_t layer, int role)
{
    struct gemv *gemv = decode_gemv_at(pass, layer, role);
    if (decode_is_read(gemv->kernel)) {
        decode_read_member(gemv, member, &pass->model->reader);
        return;
    }
    watched_pass_before(&pass->watched, gemv->kernel, member);
    gemv_run_member(gemv, member, pass->generation);
    watched_pass_after(&pass->watched, gemv->kernel, member);
}

/** After the barrier that ends the products of a layer's roles from one to another. */
static void show_roles(const struct decode_pass *pass, unsigned member, size_t layer, int first, int last)
{
    for (int role = first; role <= last; role++) {
        size_t bytes;
        const void *results = gemv_results(decode_gemv_at(pass, layer, role), &bytes);
        watched_pass_show(&pass->watched, member, results, bytes);
    }
}

/* ---- attention ---- */

static void rotate(const struct decode_pass *pass, float *head)
{
    pass->code->part[LAYER_ROPE]->rope(head, pass->cosine, pass->sine, pass->model->facts.rope_values / 2, head);
}

static void make_query(struct decode_pass *pass, const struct decode_layer *layer, size_t head)
{
    const struct model *facts = &pass->model->facts;
    float *query = pass->queries + head * model_head_padded(facts);
    scale_rows(pass, &layer->matrix[DECODE_Q], DECODE_GROUP_ATTENTION, pass->y[DECODE_Q], head * facts->head_size,
               facts->head_size, 1 / sqrtf((float)facts->head_size), query);
    rotate(pass, query);
}

/** Scale, rotate and store a head's new key, or its new value. */
static void store_new(struct decode_pass *pass, size_t index, size_t head, enum decode_role role)
{
    const struct model *facts = &pass->model->facts;
    const struct decode_layer *layer = &pass->model->layer[index % pass->model->distinct];
    const struct decode_piece *piece = decode_cache_newest(pass->cache, head);
    size_t cached = index % pass->cache->layers, padded = model_head_padded(facts);
    _Alignas(LINE) float row[HEAD_SIZE_MOST];
    memset(row + facts->head_size, 0, (padded - facts->head_size) * sizeof *row);
    scale_rows(pass, &layer->matrix[role], DECODE_GROUP_ATTENTION, pass->y[role], head * facts->head_size,
               facts->head_size, 1, row);
    if (role == DECODE_K)
        rotate(pass, row);
    void *rows = role == DECODE_K ? decode_cache_keys(pass->cache, cached, piece)
                                  : decode_cache_values(pass->cache, cached, piece);
    pass->code->part[LAYER_ATTENTION]->attention.store(row, padded, rows, piece->positions - 1, role == DECODE_V);
}

/** Queries evenly; a new key and value the member stores that attends to it, since lines of a tile that another core wrote come slowly. */
static void run_rope(struct decode_pass *pass, unsigned member, size_t index)
{
    const struct model *facts = &pass->model->facts;
    const struct decode_layer *layer = &pass->model->layer[index % pass->model->distinct];
    size_t end = decode_share(facts->heads, member + 1, pass->threads);
    for (size_t head = decode_share(facts->heads, member, pass->threads); head < end; head++)
        make_query(pass, layer, head);
    for (size_t head = 0; head < facts->kv_heads; head++) {
        if (decode_cache_newest(pass->cache, head)->member != member)
            continue;
        store_new(pass, index, head, DECODE_K);
        store_new(pass, index, head, DECODE_V);
    }
}

/** Put together what members have of the query heads that are this one's. */
static void merge(struct decode_pass *pass, unsigned member)
{
    const struct model *facts = &pass->model->facts;
    size_t end = decode_share(facts->heads, member + 1, pass->threads);
    for (size_t head = decode_share(facts->heads, member, pass->threads); head < end; head++)
        decode_attention_merge(&pass->attention, head, facts->head_size,
                               pass->input[DECODE_GROUP_O].x + head * facts->head_size);
}

/* ---- a layer ---- */

/** The rows of the matrix before, if there is one, to the residual, and its norm to a group's vector. */
static void add_and_norm(struct decode_pass *pass, unsigned member, const struct decode_matrix *before,
                         enum decode_group before_group, const void *y, const float *gain, enum decode_group to)
{
    const struct decode_model *model = pass->model;
    if (member)
        return;
    if (before)
        add_rows(pass, before, before_group, y);
    pass->code->part[LAYER_NORM]->norm(pass->residual, gain, model->facts.hidden, model->epsilon, pass->input[to].x);
    stamp(pass, member, DECODE_PART_NORM);
}

static void sub_norm(struct decode_pass *pass, unsigned member, const float *gain, enum decode_group of, size_t n)
{
    if (member || !gain)
        return;
    float *x = pass->input[of].x;
    pass->code->part[LAYER_NORM]->norm(x, gain, n, pass->model->epsilon, x);
    stamp(pass, member, DECODE_PART_NORM);
}

static void run_attention(struct decode_pass *pass, unsigned member, size_t index)
{
    size_t at = index % pass->model->distinct;
    make_operands(pass, member, at, DECODE_GROUP_ATTENTION);
    run_gemv(pass, member, at, DECODE_Q);
    run_gemv(pass, member, at, DECODE_K);
    run_gemv(pass, member, at, DECODE_V);
    join(pass, member);
    stamp(pass, member, DECODE_PART_QKV);
    show_roles(pass, member, at, DECODE_Q, DECODE_V);
    run_rope(pass, member, index);
    join(pass, member);
    stamp(pass, member, DECODE_PART_ROPE);
    decode_attention_attend(&pass->attention, pass->queries, index % pass->cache->layers, member);
    join(pass, member);
    merge(pass, member);
    join(pass, member);
    stamp(pass, member, DECODE_PART_ATTENTION);
}

static void run_gate(struct decode_pass *pass, unsigned member, const struct decode_layer *layer)
{
    const struct model *facts = &pass->model->facts;
    size_t vectors = (facts->ffn + LAYER_PAD - 1) / LAYER_PAD;
    size_t first = decode_share(vectors, member, pass->threads) * LAYER_PAD;
    size_t end = decode_share(vectors, member + 1, pass->threads) * LAYER_PAD;
    end = end < facts->ffn ? end : facts->ffn;
    if (first >= end)
        return;
    for (int i = 0; i < 2; i++) {
        enum decode_role role = i ? DECODE_UP : DECODE_GATE;
        scale_rows(pass, &layer->matrix[role], DECODE_GROUP_FFN, pass->y[role], first, end - first, 1,
                   pass->gates[i] + first);
    }
    pass->code->part[LAYER_GATE]->gate(facts->activation, pass->gates[0] + first, pass->gates[1] + first, end - first,
                                       pass->input[DECODE_GROUP_DOWN].x + first);
}

static void run_layer(struct decode_pass *pass, unsigned member, size_t index)
{
    const struct decode_model *model = pass->model;
    const struct model *facts = &model->facts;
    size_t at = index % model->distinct;
    const struct decode_layer *layer = &model->layer[at];
    const struct decode_layer *before = index ? &model->layer[(index - 1) % model->distinct] : NULL;
    /* a new one with every layer, since layers that take turns have the same GEMVs; the others read it after the next barrier */
    if (member == 0)
        pass->generation++;
    add_and_norm(pass, member, before ? &before->matrix[DECODE_DOWN] : NULL, DECODE_GROUP_DOWN, pass->y[DECODE_DOWN],
                 layer->gain[DECODE_NORM_ATTENTION], DECODE_GROUP_ATTENTION);
    run_attention(pass, member, index);

    sub_norm(pass, member, layer->gain[DECODE_NORM_O], DECODE_GROUP_O, facts->heads * facts->head_size);
    make_operands(pass, member, at, DECODE_GROUP_O);
    run_gemv(pass, member, at, DECODE_O);
    join(pass, member);
    stamp(pass, member, DECODE_PART_O);
    show_roles(pass, member, at, DECODE_O, DECODE_O);

    add_and_norm(pass, member, &layer->matrix[DECODE_O], DECODE_GROUP_O, pass->y[DECODE_O],
                 layer->gain[DECODE_NORM_FFN], DECODE_GROUP_FFN);
    make_operands(pass, member, at, DECODE_GROUP_FFN);
    run_gemv(pass, member, at, DECODE_GATE);
    run_gemv(pass, member, at, DECODE_UP);
    join(pass, member);
    stamp(pass, member, DECODE_PART_GATE_UP);
    show_roles(pass, member, at, DECODE_GATE, DECODE_UP);
    run_gate(pass, member, layer);
    join(pass, member);
    stamp(pass, member, DECODE_PART_GATE);

    sub_norm(pass, member, layer->gain[DECODE_NORM_DOWN], DECODE_GROUP_DOWN, facts->ffn);
    make_operands(pass, member, at, DECODE_GROUP_DOWN);
    run_gemv(pass, member, at, DECODE_DOWN);
    join(pass, member);
    stamp(pass, member, DECODE_PART_DOWN);
    show_roles(pass, member, at, DECODE_DOWN, DECODE_DOWN);
}

static void run_head(struct decode_pass *pass, unsigned member)
{
    const struct decode_model *model = pass->model;
    const struct decode_layer *last = &model->layer[(model->facts.layers - 1) % model->distinct];
    add_and_norm(pass, member, &last->matrix[DECODE_DOWN], DECODE_GROUP_DOWN, pass->y[DECODE_DOWN], model->last_gain,
                 DECODE_GROUP_HEAD);
    make_operands(pass, member, 0, DECODE_GROUP_HEAD);
    run_gemv(pass, member, 0, DECODE_ROLES);
    join(pass, member);
    show_roles(pass, member, 0, DECODE_ROLES, DECODE_ROLES);
    size_t first = decode_share(model->head.m, member, pass->threads),
           end = decode_share(model->head.m, member + 1, pass->threads);
    scale_rows(pass, &model->head, DECODE_GROUP_HEAD, pass->y[DECODE_ROLES], first, end - first, 1,
               pass->logits + first);
    join(pass, member);
    stamp(pass, member, DECODE_PART_HEAD);
}

void decode_pass_run(struct decode_pass *pass, unsigned member, struct decode_ticks *ticks)
{
    if (member == 0) {
        memcpy(pass->residual, pass->model->embedding, pass->model->facts.hidden * sizeof *pass->residual);
        decode_watch_begin(&pass->watch);
    }
    for (size_t index = 0; index < pass->model->facts.layers; index++)
        run_layer(pass, member, index);
    run_head(pass, member);
    if (member == 0 && ticks)
        *ticks = pass->watch.ticks;
}
