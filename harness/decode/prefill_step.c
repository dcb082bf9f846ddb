/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "harness/decode/prefill_state.h"

enum { LINE = 64, PLACES = 37 };

/* ---------------------------------------------------------------- pieces */

/** What a member does of a step: piece `at` of this many. */
struct piece {
    unsigned member;
    size_t at, of;
};

/** [first, end) of things. */
struct range {
    size_t first, end;
};

/** A piece of a member's equal share of things that are dealt to all. */
static struct range range_of(const struct prefill_pass *pass, struct piece piece, size_t count)
{
    size_t first = decode_share(count, piece.member, pass->threads);
    size_t own = decode_share(count, piece.member + 1, pass->threads) - first;
    return (struct range){first + own * piece.at / piece.of, first + own * (piece.at + 1) / piece.of};
}

/* ---------------------------------------------------------------- steps */

static float *row_of(const struct prefill_input *input, size_t token)
{
    return input->x + token * input->stride;
}

/** Rows of a matrix for a token are this many times what the kernel gave. Results in int32 have the token's scale already. */
static float scale_of(const struct prefill_pass *pass, const struct decode_matrix *matrix, enum decode_group group,
                      size_t token)
{
    bool scaled = matrix->kernel->takes != KERNEL_TAKES_INT8 || matrix->kernel->gives == KERNEL_GIVES_INT32;
    return scaled ? matrix->scale : matrix->scale * pass->input[group].scales[token];
}

static const struct decode_layer *layer_of(const struct prefill_pass *pass, size_t index)
{
    return &pass->model->layer[index % pass->model->distinct];
}

/** What multiplies the matrix of a layer and role, or the head. */
static struct prefill_product *product_of(const struct prefill_pass *pass, size_t index, int role)
{
    size_t distinct = pass->model->distinct;
    return pass->of[role == DECODE_ROLES ? distinct * DECODE_ROLES : index % distinct * DECODE_ROLES + (size_t)role];
}

static const struct decode_matrix *matrix_of(const struct prefill_pass *pass, size_t index, int role)
{
    return role == DECODE_ROLES ? &pass->model->head : &layer_of(pass, index)->matrix[role];
}

static const float *out_of(const struct prefill_pass *pass, int role, size_t token)
{
    return pass->results[role].out + token * pass->results[role].stride;
}

static void scale_rows(const struct prefill_pass *pass, const struct decode_layer *layer, enum decode_role role,
                       size_t token, size_t first, size_t count, float more, float *out)
{
    const struct decode_matrix *matrix = &layer->matrix[role];
    float by = more * scale_of(pass, matrix, decode_group_of(role), token);
    pass->code->part[LAYER_SCALE]->scale.from_f32(out_of(pass, role, token) + first, by, count, out);
}

/** The rows of the matrix before, if there is one, to the residuals, and their norms to a group's rows, the last tokens. */
static void add_and_norm(struct prefill_pass *pass, struct piece piece, const struct decode_layer *before,
                         enum decode_role role, const float *gain, enum decode_group to)
{
    const struct decode_model *model = pass->model;
    const struct prefill_input *input = &pass->input[to];
    size_t hidden = model->facts.hidden;
    struct range own = range_of(pass, piece, input->tokens);
    for (size_t i = own.first; i < own.end; i++) {
        size_t token = pass->tokens - input->tokens + i;
        float *residual = pass->residual + token * prefill_padded(hidden);
        if (before)
            pass->code->part[LAYER_SCALE]->scale.add_f32(
                out_of(pass, role, token), scale_of(pass, &before->matrix[role], decode_group_of(role), token), hidden,
                residual);
        pass->code->part[LAYER_NORM]->norm(residual, gain, hidden, model->epsilon, row_of(input, i));
    }
}

static void sub_norm(struct prefill_pass *pass, struct piece piece, const float *gain, enum decode_group of)
{
    const struct prefill_input *input = &pass->input[of];
    struct range own = range_of(pass, piece, input->tokens);
    for (size_t i = own.first; gain && i < own.end; i++)
        pass->code->part[LAYER_NORM]->norm(row_of(input, i), gain, input->k, pass->model->epsilon, row_of(input, i));
}

/** From the rows of a group to int8, each with a scale of its own. */
static void quantize(struct prefill_pass *pass, struct piece piece, enum decode_group group)
{
    struct prefill_input *input = &pass->input[group];
    struct range own = range_of(pass, piece, input->tokens);
    for (size_t i = own.first; i < own.end; i++) {
        struct quantized made =
            pass->code->quantizer->from_f32(row_of(input, i), input->k, input->q + i * input->q_stride);
        input->scales[i] = made.scale;
        for (size_t o = 0; o < input->operands; o++)
            input->operand[o].corrections[i] = -input->operand[o].kernel->format->activation_offset * made.sum;
    }
}

/** The operands of a group's tokens for a role, and all that share them. */
static void prepare(struct prefill_pass *pass, struct piece piece, size_t index, int role)
{
    struct gemm *gemm = &product_of(pass, index, role)->gemm;
    struct range own = range_of(pass, piece, gemm_groups(gemm));
    watched_pass_before(&pass->watched, gemm->kernel, piece.member);
    gemm_prepare_groups(gemm, own.first, own.end);
    watched_pass_after(&pass->watched, gemm->kernel, piece.member);
}

/** Panels that are not cut apart: kernels of formats whose panels are single rows compute several at once. */
static size_t granule_of(const struct gemm *gemm)
{
    enum { ROWS_AT_ONCE = 64 };
    size_t rows = gemm->group_rows;
    return rows < ROWS_AT_ONCE ? ROWS_AT_ONCE / rows : 1;
}

/** Granules of a member's share. */
static size_t granules_of(const struct gemm *gemm, unsigned member)
{
    size_t granule = granule_of(gemm);
    return (gemm->members[member].panels + granule - 1) / granule;
}

/** Panels of a member's share that are a range of all roles' granules, of which `before` are of former roles. */
static struct range panels_of(const struct gemm *gemm, unsigned member, struct range of, size_t before)
{
    size_t granule = granule_of(gemm), all = gemm->members[member].panels;
    size_t first = of.first > before ? (of.first - before) * granule : 0;
    size_t end = of.end > before ? (of.end - before) * granule : 0;
    return (struct range){first < all ? first : all, end < all ? end : all};
}

/** GEMMs of neighbouring roles, their panels one after the other. */
static struct range granules_between(const struct prefill_pass *pass, struct piece piece, size_t index,
                                     const struct prefill_stage *stage)
{
    size_t all = 0;
    for (int role = stage->first; role <= stage->last; role++)
        all += granules_of(&product_of(pass, index, role)->gemm, piece.member);
    return (struct range){all * piece.at / piece.of, all * (piece.at + 1) / piece.of};
}

static void run_gemms(struct prefill_pass *pass, struct piece piece, size_t index, const struct prefill_stage *stage)
{
    struct range own = granules_between(pass, piece, index, stage);
    size_t before = 0;
    for (int role = stage->first; role <= stage->last; role++) {
        struct prefill_product *product = product_of(pass, index, role);
        struct gemm *gemm = &product->gemm;
        struct range panels = panels_of(gemm, piece.member, own, before);
        if (piece.member == 0)
            pass->results[role].last = product;
        gemm->members[piece.member].weights = matrix_of(pass, index, role)->stretch[piece.member];
        watched_pass_before(&pass->watched, gemm->kernel, piece.member);
        gemm_run_panels(gemm, piece.member, panels.first, panels.end - panels.first);
        watched_pass_after(&pass->watched, gemm->kernel, piece.member);
        before += granules_of(gemm, piece.member);
    }
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
    return rows + (index % pass->model->distinct * facts->kv_heads + head) * pass->tokens * model_head_padded(facts);
}

/** Where a token's key or value is stored: of a batch at the newest position of its user. */
static void *place_of(const struct prefill_pass *pass, size_t index, size_t token, size_t head, enum decode_role role,
                      size_t *position)
{
    const struct decode_cache *cache = pass->attention.cache;
    *position = token;
    if (!pass->batch)
        return cached(pass, role == DECODE_K ? pass->keys : pass->values, index, head);
    const struct decode_piece *piece = decode_cache_newest(cache, token * pass->model->facts.kv_heads + head);
    size_t layer = index % cache->layers;
    *position = piece->positions - 1;
    return role == DECODE_K ? decode_cache_keys(cache, layer, piece) : decode_cache_values(cache, layer, piece);
}

static void store(struct prefill_pass *pass, size_t index, size_t token, size_t head, enum decode_role role)
{
    const struct model *facts = &pass->model->facts;
    size_t row_values = model_head_padded(facts);
    _Alignas(LINE) float row[DECODE_HEAD_SIZE_MOST];
    memset(row + facts->head_size, 0, (row_values - facts->head_size) * sizeof *row);
    scale_rows(pass, &pass->model->layer[index % pass->model->distinct], role, token, head * facts->head_size,
               facts->head_size, 1, row);
    if (role == DECODE_K)
        rotate(pass, token, row);
    size_t position;
    void *rows = place_of(pass, index, token, head, role, &position);
    pass->code->part[LAYER_ATTENTION]->attention.store(row, row_values, rows, position, role == DECODE_V);
}

static void run_rope(struct prefill_pass *pass, struct piece piece, size_t index)
{
    const struct model *facts = &pass->model->facts;
    const struct decode_layer *layer = &pass->model->layer[index % pass->model->distinct];
    size_t row_values = model_head_padded(facts);
    struct range own = range_of(pass, piece, pass->tokens);
    for (size_t token = own.first; token < own.end; token++) {
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
}

/** Some tokens of a key-value head. */
static void attend(struct prefill_pass *pass, unsigned member, size_t index, size_t token, size_t head)
{
    const struct model *facts = &pass->model->facts;
    const struct prefill_input *out = &pass->input[DECODE_GROUP_O];
    size_t group = facts->heads / facts->kv_heads, row_values = model_head_padded(facts), left = pass->tokens - token;
    const struct layer_prefill_attention attention = {
        .queries = pass->queries + (token * facts->heads + head * group) * row_values,
        .query_stride = facts->heads * row_values,
        .tokens = left < pass->unit_tokens ? left : pass->unit_tokens,
        .heads = group,
        .size = row_values,
        .keys = cached(pass, pass->keys, index, head),
        .values = cached(pass, pass->values, index, head),
        .before = token,
        .out = row_of(out, token) + head * group * facts->head_size,
        .out_stride = out->stride,
        .values_out = facts->head_size,
    };
    pass->code->part[LAYER_PREFILL_ATTENTION]->prefill_attention.attend(&attention,
                                                                        pass->scratch + member * pass->scratch_bytes);
}

size_t prefill_unit_tokens(const struct model *facts, size_t tokens, unsigned threads)
{
    size_t most = LAYER_QUERY_TILE / (facts->heads / facts->kv_heads), all = tokens * facts->kv_heads / (2 * threads);
    most = all < most ? all : most;
    return most ? most : 1;
}

/** Units of a head, and turns in which every member has one at most. */
static size_t units_of_head(const struct prefill_pass *pass)
{
    return (pass->tokens + pass->unit_tokens - 1) / pass->unit_tokens;
}

static size_t turns_of(const struct prefill_pass *pass)
{
    size_t units = pass->model->facts.kv_heads * units_of_head(pass);
    return (units + pass->threads - 1) / pass->threads;
}

/** Of each user over its own keys and values. */
static void attend_batch(struct prefill_pass *pass, unsigned member, size_t index)
{
    const struct model *facts = &pass->model->facts;
    size_t heads = pass->tokens * facts->heads, end = decode_share(heads, member + 1, pass->threads);
    decode_attention_attend(&pass->attention, pass->queries, index % pass->attention.cache->layers, member);
    decode_watch_join(&pass->watch, member);
    for (size_t head = decode_share(heads, member, pass->threads); head < end; head++)
        decode_attention_merge(&pass->attention, head, facts->head_size,
                               row_of(&pass->input[DECODE_GROUP_O], head / facts->heads) +
                                   head % facts->heads * facts->head_size);
}

/** Units of each head in turn, dealt forth and back: of two neighbours, the later is longer, and each is first in turn. */
static void run_attention(struct prefill_pass *pass, struct piece piece, size_t index)
{
    size_t of_head = units_of_head(pass), units = pass->model->facts.kv_heads * of_head, turns = turns_of(pass);
    if (pass->batch) {
        attend_batch(pass, piece.member, index);
        return;
    }
    for (size_t turn = turns * piece.at / piece.of; turn < turns * (piece.at + 1) / piece.of; turn++) {
        size_t unit = turn * pass->threads + (turn % 2 ? pass->threads - 1 - piece.member : piece.member);
        if (unit < units)
            attend(pass, piece.member, index, unit % of_head * pass->unit_tokens, unit / of_head);
    }
}

/** Pairs of token and position of the first units. */
static double pairs_before(const struct prefill_pass *pass, size_t unit)
{
    size_t of_head = units_of_head(pass), heads = unit / of_head, tokens = unit % of_head * pass->unit_tokens;
    tokens = heads == pass->model->facts.kv_heads ? 0 : tokens;
    return 0.5 * ((double)(heads * pass->tokens) * (double)(pass->tokens + 1) + (double)tokens * (double)(tokens + 1));
}

static double attention_share(const struct prefill_pass *pass, size_t piece, size_t pieces)
{
    size_t turns = turns_of(pass), units = pass->model->facts.kv_heads * units_of_head(pass);
    size_t first = turns * piece / pieces * pass->threads, end = turns * (piece + 1) / pieces * pass->threads;
    return (pairs_before(pass, end < units ? end : units) - pairs_before(pass, first)) / pairs_before(pass, units);
}

/* ---- a layer ---- */

static void run_gate(struct prefill_pass *pass, struct piece piece, const struct decode_layer *layer)
{
    const struct model *facts = &pass->model->facts;
    struct range own = range_of(pass, piece, pass->tokens);
    unsigned member = piece.member;
    float *gate = pass->gates[0] + member * prefill_padded(facts->ffn),
          *up = pass->gates[1] + member * prefill_padded(facts->ffn);
    for (size_t token = own.first; token < own.end; token++) {
        scale_rows(pass, layer, DECODE_GATE, token, 0, facts->ffn, 1, gate);
        scale_rows(pass, layer, DECODE_UP, token, 0, facts->ffn, 1, up);
        pass->code->part[LAYER_GATE]->gate(facts->activation, gate, up, facts->ffn,
                                           row_of(&pass->input[DECODE_GROUP_DOWN], token));
    }
}

/** The operand of the last token, or of all of a batch. What the last layer gave is added to its residual once. */
static void make_head(struct prefill_pass *pass, unsigned member, bool again)
{
    const struct decode_layer *last = again ? NULL : layer_of(pass, pass->layers - 1);
    const struct piece whole = {member, 0, 1};
    add_and_norm(pass, whole, last, DECODE_DOWN, pass->model->last_gain, DECODE_GROUP_HEAD);
    if (pass->input[DECODE_GROUP_HEAD].q) {
        decode_watch_join(&pass->watch, member);
        quantize(pass, whole, DECODE_GROUP_HEAD);
    }
    if (prefill_makes_operand(pass->model->head.kernel)) {
        decode_watch_join(&pass->watch, member);
        prepare(pass, whole, 0, DECODE_ROLES);
    }
}

/** The logits of the panels that a member has just computed, for its tokens. */
static void scale_logits(struct prefill_pass *pass, struct piece piece)
{
    const struct decode_matrix *head = &pass->model->head;
    const struct gemm *gemm = &product_of(pass, 0, DECODE_ROLES)->gemm;
    const struct gemm_member *member = &gemm->members[piece.member];
    struct range own = granules_between(pass, piece, 0, &prefill_head);
    struct range panels = panels_of(gemm, piece.member, own, 0);
    size_t rows = gemm->group_rows, first = (member->first_panel + panels.first) * rows;
    size_t end = (member->first_panel + panels.end) * rows;
    end = end < head->m ? end : head->m;
    for (size_t i = 0; first < end && i < member->tokens; i++) {
        size_t token = member->first_token + i;
        pass->code->part[LAYER_SCALE]->scale.from_f32(out_of(pass, DECODE_ROLES, token) + first,
                                                      scale_of(pass, head, DECODE_GROUP_HEAD, token), end - first,
                                                      pass->logits + token * head->m + first);
    }
}

static void run_norm(struct prefill_pass *pass, struct piece piece, size_t index, enum prefill_step step)
{
    const struct decode_layer *layer = layer_of(pass, index);
    enum decode_group group = prefill_step_group(step);
    if (step == PREFILL_NORM_ATTENTION)
        add_and_norm(pass, piece, index ? layer_of(pass, index - 1) : NULL, DECODE_DOWN,
                     layer->gain[DECODE_NORM_ATTENTION], group);
    else if (step == PREFILL_NORM_FFN)
        add_and_norm(pass, piece, layer, DECODE_O, layer->gain[DECODE_NORM_FFN], group);
    else
        sub_norm(pass, piece, layer->gain[step == PREFILL_NORM_O ? DECODE_NORM_O : DECODE_NORM_DOWN], group);
}

/** After the barrier that ends products, of a step that has any. */
static void show_results(const struct prefill_pass *pass, unsigned member, const struct prefill_stage *stage)
{
    enum prefill_step step = stage->step;
    if (step != PREFILL_HEAD && !decode_part_is_gemv(prefill_step_part(step)))
        return;
    for (int role = stage->first; role <= stage->last; role++) {
        const struct prefill_results *of = &pass->results[role];
        watched_pass_show(&pass->watched, member, of->out, of->tokens * of->stride * sizeof *of->out);
    }
}

void prefill_pass_step(struct prefill_pass *pass, unsigned member, size_t index, const struct prefill_stage *stage,
                       size_t at, size_t pieces)
{
    const struct piece piece = {member, at, pieces};
    enum prefill_step step = stage->step;
    switch (prefill_step_part(step)) {
    case DECODE_PART_NORM: run_norm(pass, piece, index, step); break;
    case DECODE_PART_QUANTIZE: quantize(pass, piece, prefill_step_group(step)); break;
    case DECODE_PART_OPERAND: prepare(pass, piece, index, stage->first); break;
    case DECODE_PART_ROPE: run_rope(pass, piece, index); break;
    case DECODE_PART_ATTENTION: run_attention(pass, piece, index); break;
    case DECODE_PART_GATE: run_gate(pass, piece, layer_of(pass, index)); break;
    case DECODE_PART_HEAD:
        if (step == PREFILL_NORM_HEAD) {
            make_head(pass, member, index > 0);
        } else {
            run_gemms(pass, piece, index, stage);
            scale_logits(pass, piece);
        }
        break;
    default: run_gemms(pass, piece, index, stage);
    }
    decode_watch_join(&pass->watch, member);
    show_results(pass, member, stage);
}

/** Things of a stage that a member has, one of which is the least that a piece can be; of the first, or of all in turns. */
static size_t things_of(const struct prefill_pass *pass, size_t index, const struct prefill_stage *stage)
{
    const struct piece whole = {0, 0, 1};
    switch (prefill_step_part(stage->step)) {
    case DECODE_PART_OPERAND: return gemm_groups(&product_of(pass, index, stage->first)->gemm) / pass->threads;
    case DECODE_PART_ATTENTION: return pass->batch ? 1 : turns_of(pass);
    case DECODE_PART_HEAD: return stage->step == PREFILL_HEAD ? granules_between(pass, whole, index, stage).end : 1;
    case DECODE_PART_QKV:
    case DECODE_PART_O:
    case DECODE_PART_GATE_UP:
    case DECODE_PART_DOWN: return granules_between(pass, whole, index, stage).end;
    default: return pass->tokens / pass->threads;
    }
}

size_t prefill_pass_pieces(const struct prefill_pass *pass, size_t index, const struct prefill_stage *stage)
{
    size_t things = things_of(pass, index, stage);
    return things ? things : 1;
}

double prefill_pass_share(const struct prefill_pass *pass, size_t index, const struct prefill_stage *stage,
                          size_t piece, size_t pieces)
{
    size_t things = prefill_pass_pieces(pass, index, stage);
    if (stage->step == PREFILL_ATTENTION && !pass->batch)
        return attention_share(pass, piece, pieces);
    return (double)(things * (piece + 1) / pieces - things * piece / pieces) / (double)things;
}

void prefill_embedding(const struct decode_model *model, size_t token, float *x)
{
    size_t hidden = model->facts.hidden, from = token * PLACES % hidden;
    memcpy(x, model->embedding + from, (hidden - from) * sizeof *x);
    memcpy(x + hidden - from, model->embedding, from * sizeof *x);
}

void prefill_pass_begin(struct prefill_pass *pass, unsigned member)
{
    size_t row = prefill_padded(pass->model->facts.hidden), end = decode_share(pass->tokens, member + 1, pass->threads);
    /* a member norms the tokens that it sets */
    for (size_t token = decode_share(pass->tokens, member, pass->threads); token < end; token++)
        prefill_embedding(pass->model, token, pass->residual + token * row);
}

static void run_and_stamp(struct prefill_pass *pass, unsigned member, size_t index, const struct prefill_stage *stage)
{
    prefill_pass_step(pass, member, index, stage, 0, 1);
    decode_watch_stamp(&pass->watch, member, prefill_step_part(stage->step));
}

void prefill_pass_run(struct prefill_pass *pass, unsigned member, struct decode_ticks *ticks)
{
    if (member == 0)
        decode_watch_begin(&pass->watch);
    prefill_pass_begin(pass, member);
    for (size_t index = 0; index < pass->layers; index++) {
        const struct kernel *kernel[DECODE_ROLES];
        struct prefill_stage stage[PREFILL_LAYER_STAGES];
        for (int role = 0; role < DECODE_ROLES; role++)
            kernel[role] = matrix_of(pass, index, role)->kernel;
        size_t count = prefill_layer_stages(&pass->model->facts, kernel, stage);
        for (size_t i = 0; i < count; i++)
            run_and_stamp(pass, member, index, &stage[i]);
    }
    run_and_stamp(pass, member, 0, &prefill_norm_head);
    run_and_stamp(pass, member, 0, &prefill_head);
    if (member == 0 && ticks)
        *ticks = pass->watch.ticks;
}
