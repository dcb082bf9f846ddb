/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/decode/decode_operand.h"
#include "harness/decode/decode_state.h"

/* ---------------------------------------------------------------- opening */

static size_t rows_of(const struct decode_matrix *matrix)
{
    const struct format *format = matrix->kernel->format;
    return format_panels(format, matrix->m) * format->rows_per_panel;
}

/** The groups' vectors, long enough for all matrices that read them, and the kernels' operands. */
static int open_inputs(struct decode_pass *pass)
{
    const struct decode_model *model = pass->model;
    int error = 0;
    for (size_t i = 0; !error && i < decode_matrices(model); i++) {
        const struct decode_matrix *matrix = decode_matrix_at(model, i);
        error = decode_vector_add(&pass->input[decode_group_of(decode_role_at(model, i))], matrix->kernel, matrix->k);
    }
    for (int group = 0; !error && group < DECODE_GROUPS; group++)
        error = decode_vector_open(&pass->input[group]);
    return error;
}

static int open_gemv(struct decode_pass *pass, struct gemv *gemv, const struct decode_matrix *matrix,
                     enum decode_group group, void *y)
{
    const struct gemv_vectors vectors = {.activations = decode_vector_taken(&pass->input[group], matrix->kernel),
                                         .prepared = decode_vector_prepared(&pass->input[group], matrix->kernel),
                                         .y = y};
    int error = gemv_prepare_shared(gemv, matrix->kernel, matrix->m, matrix->k, pass->threads, &vectors);
    if (!error && matrix->prefetch.given)
        gemv->prefetch_bytes = matrix->prefetch.bytes;
    if (!error && matrix->schedule.kind != SCHEDULE_STATIC)
        error = gemv_set_schedule(gemv, &matrix->schedule);
    for (unsigned t = 0; !error && t < pass->threads; t++) {
        gemv->members[t].weights = matrix->stretch[t];
        if (pass->model->speeds)
            gemv_emulate_speed(gemv, t, pass->model->speeds[t]);
    }
    return error;
}

static int open_gemvs(struct decode_pass *pass)
{
    const struct decode_model *model = pass->model;
    size_t count = decode_matrices(model), rows[DECODE_ROLES + 1] = {0};
    int error = 0;
    for (size_t i = 0; i < count; i++) {
        /* all layers' matrices of a role have as many rows, up to those that pad them */
        size_t of = rows_of(decode_matrix_at(model, i)), *most = &rows[decode_role_at(model, i)];
        *most = of > *most ? of : *most;
    }
    pass->gemv = calloc(count, sizeof *pass->gemv);
    pass->logits = zeroed_lines(model->head.m * sizeof *pass->logits);
    for (int role = 0; role <= DECODE_ROLES; role++) {
        pass->y[role] = zeroed_lines(rows[role] * sizeof(float));
        error = pass->y[role] ? error : -ENOMEM;
    }
    if (!pass->gemv || !pass->logits)
        error = -ENOMEM;
    for (size_t i = 0; !error && i < count; i++) {
        int role = decode_role_at(model, i);
        error = open_gemv(pass, &pass->gemv[i], decode_matrix_at(model, i), decode_group_of(role), pass->y[role]);
    }
    return error;
}

static int open_rest(struct decode_pass *pass)
{
    const struct model *facts = &pass->model->facts;
    const struct decode_cache *cache = pass->cache;
    size_t group = facts->heads / facts->kv_heads, pieces = cache->first_piece[cache->threads];
    size_t half = facts->rope_values / 2;
    pass->residual = zeroed_lines(facts->hidden * sizeof(float));
    pass->queries = zeroed_lines(facts->heads * cache->row_values * sizeof(float));
    pass->cosine = zeroed_lines(half * sizeof(float));
    pass->sine = zeroed_lines(half * sizeof(float));
    pass->gates[0] = zeroed_lines(facts->ffn * sizeof(float));
    pass->gates[1] = zeroed_lines(facts->ffn * sizeof(float));
    pass->attention = (struct decode_attention){
        .cache = cache,
        .code = pass->code->part[LAYER_ATTENTION],
        .group = group,
        .most = zeroed_lines(pieces * group * sizeof(float)),
        .sum = zeroed_lines(pieces * group * sizeof(float)),
        .out = zeroed_lines(pieces * group * cache->row_values * sizeof(float)),
    };
    if (!pass->residual || !pass->queries || !pass->cosine || !pass->sine || !pass->gates[0] || !pass->gates[1] ||
        !pass->attention.most || !pass->attention.sum || !pass->attention.out)
        return -ENOMEM;
    decode_rope_angles(facts, decode_lengths_of(&cache->lengths, 0) - 1, pass->cosine, pass->sine);
    return 0;
}

/* ---------------------------------------------------------------- a pass that is watched */

/** All layers of a role share their results, which may be more of one than of another; zeroed_lines() leaves room after them. */
static uint8_t *guard_of(const void *context, int role)
{
    const struct decode_pass *pass = context;
    size_t most = 0, bytes;
    for (size_t layer = 0; layer < pass->model->distinct; layer++) {
        gemv_results(decode_gemv_at(pass, layer, role), &bytes);
        most = bytes > most ? bytes : most;
    }
    return (uint8_t *)pass->y[role] + most;
}

/** Of the last layer, whose results they are. */
static int verify_role(const void *pass, int role, uint64_t seed, struct reference_check *check)
{
    const struct decode_model *model = ((const struct decode_pass *)pass)->model;
    return gemv_verify(decode_gemv_at(pass, (model->facts.layers - 1) % model->distinct, role), seed, check);
}

static void deal(void *context, bool as_dealt)
{
    const struct decode_pass *pass = context;
    for (size_t i = 0; i < decode_matrices(pass->model); i++)
        pass->gemv[i].as_dealt = as_dealt;
}

static const struct pass_results results = {guard_of, verify_role, deal};

struct watched_pass *decode_pass_watched(struct decode_pass *pass)
{
    return &pass->watched;
}

/* ---------------------------------------------------------------- a pass */

int decode_pass_open(struct decode_pass **result, const struct decode_model *model, const struct decode_cache *cache,
                     const struct decode_code *code, struct team *team, char *why, size_t size)
{
    int error = decode_refuse(model, why, size);
    if (error)
        return error;
    struct decode_pass *pass = calloc(1, sizeof *pass);
    if (!pass) {
        snprintf(why, size, "no memory for a pass of %s", model->facts.name);
        return -ENOMEM;
    }
    *pass = (struct decode_pass){.model = model,
                                 .cache = cache,
                                 .code = code,
                                 .threads = team_threads(team),
                                 .watch = {.team = team},
                                 .watched = {.pass = pass, .results = &results}};
    error = open_inputs(pass);
    if (!error)
        error = open_gemvs(pass);
    if (!error)
        error = open_rest(pass);
    if (error) {
        snprintf(why, size, "no memory for a pass of %s", model->facts.name);
        decode_pass_close(pass);
        return error;
    }
    *result = pass;
    return 0;
}

void decode_pass_close(struct decode_pass *pass)
{
    if (!pass)
        return;
    for (size_t i = 0; pass->gemv && i < decode_matrices(pass->model); i++)
        gemv_release(&pass->gemv[i]);
    for (int group = 0; group < DECODE_GROUPS; group++)
        decode_vector_release(&pass->input[group]);
    for (int role = 0; role <= DECODE_ROLES; role++)
        free(pass->y[role]);
    free(pass->gemv);
    free(pass->logits);
    free(pass->residual);
    free(pass->queries);
    free(pass->cosine);
    free(pass->sine);
    free(pass->gates[0]);
    free(pass->gates[1]);
    free(pass->attention.most);
    free(pass->attention.sum);
    free(pass->attention.out);
    free(pass);
}

uint64_t decode_pass_bytes(const struct model *facts, unsigned threads)
{
    uint64_t widest = facts->vocabulary + 8 * (uint64_t)facts->ffn + 16 * (uint64_t)facts->hidden;
    /* operands that are tables take up to 16 bytes an activation or more */
    return 64 * (uint64_t)(facts->ffn + 4 * facts->hidden) + 4 * widest +
           facts->layers * DECODE_ROLES * (sizeof(struct gemv) + threads * sizeof(struct gemv_member));
}

/* ---------------------------------------------------------------- what a pass was */

const float *decode_pass_logits(const struct decode_pass *pass)
{
    return pass->logits;
}

size_t decode_pass_joins(const struct decode_pass *pass)
{
    return pass->watch.joins;
}

size_t decode_pass_stamps(const struct decode_pass *pass)
{
    return pass->watch.stamps;
}

bool decode_pass_shares_operand(const struct decode_pass *pass)
{
    return decode_vector_is_shared(&pass->input[DECODE_GROUP_ATTENTION]);
}
