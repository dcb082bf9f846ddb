/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attention of a prompt, alone: what a prediction of a whole prompt rests on.
 */
#include "harness/cells/attention/attention.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/layer/layer.h"

/** Of one sample, so that the meeting of the team does not show. */
static const double SAMPLE_MULTIPLY_ADDS = 2e6;

static bool is_of(const struct cell *cell, const struct model *model, size_t tokens)
{
    const struct attention_cell *own = attention_cell(cell);
    return own && own->heads == model->heads / model->kv_heads && own->head_size == model->head_size &&
           own->tokens == tokens;
}

/** Of scores and of sums, each token over the positions up to its own. */
static double multiply_adds_of(const struct attention_cell *own)
{
    double pairs = (double)own->tile * ((double)own->before + 0.5 * (double)(own->tile + 1));
    return 2 * pairs * (double)(own->heads * own->head_size);
}

int attention_add(struct cells *cells, const struct session *session, const struct model *model, size_t tokens)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (is_of(&cells->cell[i], model, tokens))
            return 0;
    }
    struct cell *cell = cells_add(cells, &cell_kind_attention);
    if (!cell)
        return -ENOMEM;
    struct attention_cell *own = attention_cell(cell);
    *own = (struct attention_cell){.code = layer_best_code(session, LAYER_CACHE_BF16).part[LAYER_PREFILL_ATTENTION],
                                   .heads = model->heads / model->kv_heads,
                                   .head_size = model->head_size,
                                   .tokens = tokens};
    size_t most = LAYER_QUERY_TILE > own->heads ? LAYER_QUERY_TILE / own->heads : 1;
    own->tile = tokens < most ? tokens : most;
    own->before = (tokens - own->tile) / 2;
    cell->repeats = (unsigned)(SAMPLE_MULTIPLY_ADDS / multiply_adds_of(own)) + 1;
    snprintf(cell->name, sizeof cell->name, "attention/%s/%zux%zu/n%zu", own->code->name, own->heads, own->head_size,
             tokens);
    return 0;
}

/* ---- taking samples ---- */

struct job {
    const struct attention_cell *own;
    struct layer_prefill_attention attention;
    void *memory, *scratch;
    unsigned repeats;
};

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    const struct job *job = context;
    for (unsigned i = 0; i < job->repeats; i++)
        job->own->code->prefill_attention.attend(&job->attention, job->scratch);
}

static size_t lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/** Queries of [-1, 1) that make scores of some units, keys and values of bf16 likewise. */
static int open(struct job *job, struct session *session)
{
    const struct attention_cell *own = job->own;
    size_t size = (own->head_size + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
    size_t queries = own->tile * own->heads * size, rows = (own->before + own->tile) * size,
           stride = own->heads * own->head_size;
    size_t of_queries = lines(queries * sizeof(float)), of_rows = lines(rows * sizeof(uint16_t));
    size_t of_out = lines(own->tile * stride * sizeof(float));
    uint8_t *memory = aligned_alloc(64, of_queries + 2 * of_rows + of_out);
    job->memory = memory;
    job->scratch = aligned_alloc(64, lines(own->code->prefill_attention.scratch_bytes(size)));
    if (!memory || !job->scratch)
        return -ENOMEM;
    memset(memory, 0, of_queries + 2 * of_rows + of_out);
    float *query = (float *)(void *)memory;
    uint16_t *row = (uint16_t *)(void *)(memory + of_queries);
    for (size_t i = 0; i < queries; i++)
        query[i] = i % size < own->head_size ? (float)((double)(session_random(session) >> 40) / (1 << 23) - 1.0) : 0;
    for (size_t i = 0; i < 2 * of_rows / sizeof *row; i++) /* 0.5 … 1, with either sign */
        row[i] = i % size < own->head_size ? (uint16_t)(0x3f00 | (session_random(session) >> 40 & 0x807f)) : 0;
    job->attention = (struct layer_prefill_attention){.queries = query,
                                                      .query_stride = own->heads * size,
                                                      .tokens = own->tile,
                                                      .before = own->before,
                                                      .heads = own->heads,
                                                      .size = size,
                                                      .keys = row,
                                                      .values = row + of_rows / sizeof *row,
                                                      .out = (float *)(void *)(memory + of_queries + 2 * of_rows),
                                                      .out_stride = stride,
                                                      .values_out = own->head_size};
    return 0;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    if (!session_team(session, cell->threads, cell->why, sizeof cell->why))
        return -EINVAL;
    struct job job = {.own = attention_cell(cell), .repeats = cell->repeats};
    int error = open(&job, session);
    if (!error) {
        struct sampler_work work = {.context = &job, .region = cell->name, .run = run};
        run(&job, 0, 0);
        error = cell_take(session, cell, &work, count);
    }
    free(job.memory);
    free(job.scratch);
    return error;
}

/* ---- what they say ---- */

double attention_time(const struct cells *cells, const struct model *model, size_t tokens)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (is_of(cell, model, tokens))
            return summary_stated(summary_time(cell)) * (double)tokens / (double)attention_cell(cell)->tile;
    }
    return NAN;
}

struct graded attention_rate(const struct cell *cell)
{
    return summary_per_cycle(cell, multiply_adds_of(attention_cell(cell)));
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session, (void)cells;
    const struct attention_cell *own = attention_cell(cell);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "type", "attention", "name", own->code->name, "isa",
                  own->code->isa, "heads", (json_int_t)own->heads, "head_size", (json_int_t)own->head_size, "tokens",
                  (json_int_t)own->tokens, "tile", (json_int_t)own->tile);
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    field_set_quantity(record, "multiply_adds", attention_rate(cell), "1/cycle");
    field_set_proof(record, cell);
    return record;
}

const struct cell_kind cell_kind_attention = {
    .name = "attention",
    .own = sizeof(struct attention_cell),
    .visit = visit,
    .rank = 45,
    .record = record_of,
};
