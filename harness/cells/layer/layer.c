/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/layer/layer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/cell/weights_read.h"
#include "harness/decode/decode_attention.h"
#include "roofline/ebw.h"

static const char *const step_names[LAYER_STEPS] = {"norm", "rope", "gate", "attention", "attention.cold"};

/** Values of one sample, so that the meeting of the team does not show, and bytes of a cold one. */
enum { SAMPLE_VALUES = 1 << 17, SAMPLE_BYTES = 4 << 20, LINE = 64 };

/** Bytes of keys and values that the second level of any core holds beside the rest; positions of a cold piece. */
enum { CACHED_BYTES = 128 << 10, COLD_POSITIONS = 2048 };

/* ---- which cells ---- */

struct decode_code layer_best_code(const struct session *session, enum layer_cache cache)
{
    struct decode_code code = {.quantizer = NULL};
    for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++) {
        const struct layer_kernel **best = &code.part[(*at)->part];
        const bool reads_another = (*at)->part == LAYER_ATTENTION && (*at)->attention.cache != cache;
        if (session_runs(session, (*at)->isa) && !reads_another &&
            (!*best || isa_find((*at)->isa)->priority > isa_find((*best)->isa)->priority))
            *best = *at;
    }
    for (const struct quantizer *const *at = quantizer_all(); *at; at++) {
        if (session_runs(session, (*at)->isa) &&
            (!code.quantizer || isa_find((*at)->isa)->priority > isa_find(code.quantizer->isa)->priority))
            code.quantizer = *at;
    }
    return code;
}

static bool is_attention(enum layer_step step)
{
    return step == LAYER_STEP_ATTENTION || step == LAYER_STEP_COLD;
}

static const struct layer_kernel *code_of(const struct decode_code *code, enum layer_step step)
{
    static const enum layer_part parts[LAYER_STEPS] = {LAYER_NORM, LAYER_ROPE, LAYER_GATE, LAYER_ATTENTION,
                                                       LAYER_ATTENTION};
    return code->part[parts[step]];
}

/** A cell's name: code and sizes decide how long it takes. */
static void name_cell(const struct decode_code *code, const struct model *model, enum layer_cache cache,
                      enum layer_step step, char *name, size_t size)
{
    const char *of = code_of(code, step)->name;
    switch (step) {
    case LAYER_STEP_NORM: snprintf(name, size, "layer/norm/%s/%zu", of, model->hidden); break;
    case LAYER_STEP_GATE:
        snprintf(name, size, "layer/gate/%s/%s/%zu", of, layer_activation_name(model->activation), model->ffn);
        break;
    case LAYER_STEP_ROPE:
        snprintf(name, size, "layer/rope/%s/%zu+%zux%zu/%s", of, model->heads, model->kv_heads, model->head_size,
                 layer_cache_name(cache));
        break;
    default:
        snprintf(name, size, "layer/%s/%s/%zux%zu", step_names[step], of, model->heads / model->kv_heads,
                 model->head_size);
    }
}

/** Bytes of keys and values of a position. */
static double position_bytes(const struct layer_cell *own)
{
    return 2 * (double)layer_cache_bytes(own->cache, model_head_padded(&own->model)) /
           (double)layer_cache_positions(own->cache);
}

/** One head of keys and values, which the caches hold or do not. @return the values or, of a cold cell, bytes of a repeat */
static double plan_attention(const struct session *session, struct layer_cell *own)
{
    own->model.heads /= own->model.kv_heads;
    own->model.kv_heads = 1;
    if (own->step == LAYER_STEP_COLD) {
        own->positions = COLD_POSITIONS;
        const double piece = position_bytes(own) * COLD_POSITIONS;
        own->layers = (size_t)((double)session_cold_bytes(session, 1) / piece) + 1;
        return piece;
    }
    const size_t tiles = (size_t)(CACHED_BYTES / position_bytes(own)) / LAYER_CACHE_TILE;
    own->positions = LAYER_CACHE_TILE * (tiles ? tiles : 1);
    own->layers = 1;
    return (double)(own->positions * own->model.heads * own->model.head_size);
}

static int add_step(struct cells *cells, const struct session *session, const struct model *model,
                    enum layer_cache cache, enum layer_step step)
{
    const struct decode_code code = layer_best_code(session, cache);
    char name[160];
    name_cell(&code, model, cache, step, name, sizeof name);
    if (cells_find(cells, name))
        return 0;
    struct cell *cell = cells_add(cells, &cell_kind_layer);
    if (!cell)
        return -ENOMEM;
    struct layer_cell *own = layer_cell(cell);
    *own =
        (struct layer_cell){.step = step, .code = code, .cache = cache, .model = *model, .positions = 1, .layers = 1};
    const double amount = is_attention(step)        ? plan_attention(session, own)
                          : step == LAYER_STEP_NORM ? (double)model->hidden
                          : step == LAYER_STEP_GATE ? (double)model->ffn
                                                    : (double)((model->heads + 2 * model->kv_heads) * model->head_size);
    cell->cold = step == LAYER_STEP_COLD;
    cell->repeats = (unsigned)((cell->cold ? SAMPLE_BYTES : SAMPLE_VALUES) / amount) + 1;
    snprintf(cell->name, sizeof cell->name, "%s", name);
    return 0;
}

int layer_add(struct cells *cells, const struct session *session, const struct model *model, enum layer_cache cache)
{
    int error = 0;
    for (int step = 0; !error && step < LAYER_STEPS; step++)
        error = add_step(cells, session, model, cache, (enum layer_step)step);
    return error;
}

/* ---- taking samples ---- */

struct job {
    const struct session *session;
    const struct cell *cell;
    const struct layer_cell *own;
    struct decode_cache cache;
    struct decode_attention attention;
    float *memory, *x, *y, *out, *cosine, *sine; /* room for the longest vector each */
    float *most, *sum;
    size_t roof_bytes;
    unsigned roofs, turn; /* how often either was read */
};

static void norm(const struct job *job)
{
    const struct layer_kernel *const *part = job->own->code.part;
    const size_t n = job->own->model.hidden;
    part[LAYER_SCALE]->scale.add_f32(job->y, 0x1p-20f, n, job->x);
    part[LAYER_NORM]->norm(job->x, job->y, n, 1e-5f, job->out);
}

static void gate(const struct job *job)
{
    const struct layer_kernel *const *part = job->own->code.part;
    const size_t n = job->own->model.ffn;
    part[LAYER_SCALE]->scale.from_f32(job->x, 0.5f, n, job->out);
    part[LAYER_SCALE]->scale.from_f32(job->y, 0.5f, n, job->out + (n + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD);
    part[LAYER_GATE]->gate(job->own->model.activation, job->out, job->out + (n + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD,
                           n, job->out);
}

/** As a pass does it: harness/decode/decode_step.c. */
static void rope(const struct job *job)
{
    const struct layer_kernel *const *part = job->own->code.part;
    const struct model *model = &job->own->model;
    const size_t padded = model_head_padded(model), newest = job->own->positions - 1;
    for (size_t unit = 0; unit < model->heads + 2 * model->kv_heads; unit++) {
        const bool value = unit >= model->heads + model->kv_heads;
        part[LAYER_SCALE]->scale.from_f32(job->x + unit * model->head_size, 0.5f, model->head_size, job->out);
        if (!value)
            part[LAYER_ROPE]->rope(job->out, job->cosine, job->sine, model->rope_values / 2, job->out);
        const struct decode_piece *piece = &job->cache.pieces[(unit - model->heads) % model->kv_heads];
        if (unit >= model->heads)
            part[LAYER_ATTENTION]->attention.store(job->out, padded,
                                                   value ? decode_cache_values(&job->cache, 0, piece)
                                                         : decode_cache_keys(&job->cache, 0, piece),
                                                   newest, value);
    }
}

static void attend(struct job *job)
{
    decode_attention_attend(&job->attention, job->x, job->turn++ % job->own->layers, 0);
    for (size_t head = 0; head < job->own->model.heads; head++)
        decode_attention_merge(&job->attention, head, job->own->model.head_size, job->y);
}

static bool is_roof(const struct job *job, unsigned sample)
{
    return job->cell->cold && sample % 2 == 0;
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member;
    struct job *job = context;
    const struct memory_block *block = &job->cache.block[0];
    if (is_roof(job, sample)) {
        const size_t places = block->length / job->roof_bytes;
        session_stream_read(&job->session->roof[1].stream, block->bytes + job->roofs++ % places * job->roof_bytes,
                            job->roof_bytes, false);
        return;
    }
    for (unsigned i = 0; i < job->cell->repeats; i++) {
        switch (job->own->step) {
        case LAYER_STEP_NORM: norm(job); break;
        case LAYER_STEP_ROPE: rope(job); break;
        case LAYER_STEP_GATE: gate(job); break;
        default: attend(job);
        }
    }
}

static size_t padded(size_t n)
{
    return (n + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
}

/** Vectors of [-1, 1), the queries of attention among them. */
static int open_vectors(struct job *job, struct session *session)
{
    const struct model *model = &job->own->model;
    const size_t heads = (model->heads + 2 * model->kv_heads) * model_head_padded(model);
    size_t length = padded(model->hidden) > heads ? padded(model->hidden) : heads;
    length = length > 2 * padded(model->ffn) ? length : 2 * padded(model->ffn);
    job->memory = aligned_alloc(LINE, 5 * length * sizeof *job->memory);
    if (!job->memory)
        return -ENOMEM;
    float **const vectors[] = {&job->x, &job->y, &job->out, &job->cosine, &job->sine};
    for (size_t i = 0; i < 5; i++)
        *vectors[i] = job->memory + i * length;
    for (size_t i = 0; i < 5 * length; i++)
        job->memory[i] = (float)((double)(session_random(session) >> 40) / (1 << 23) - 1.0);
    decode_rope_angles(model, job->own->positions - 1, job->cosine, job->sine);
    return 0;
}

/** Keys and values, and room for the one part of each head that there is. */
static int open_cache(struct job *job, struct session *session, struct team *team)
{
    const struct layer_cell *own = job->own;
    const size_t heads = own->model.heads, size = model_head_padded(&own->model);
    int error = decode_cache_open(&job->cache, own->cache, &own->model, 1, own->layers,
                                  &(struct decode_lengths){1, {own->positions}}, team, session_random(session));
    if (error)
        return error;
    job->most = calloc(2 * heads, sizeof *job->most);
    job->sum = job->most ? job->most + heads : NULL;
    job->attention = (struct decode_attention){.cache = &job->cache,
                                               .code = own->code.part[LAYER_ATTENTION],
                                               .group = heads / own->model.kv_heads,
                                               .most = job->most,
                                               .sum = job->sum,
                                               .out = aligned_alloc(LINE, heads * size * sizeof(float))};
    return job->most && job->attention.out ? 0 : -ENOMEM;
}

/** As much as a sample of attention reads. */
static int begin_roof(struct job *job, struct cell *cell)
{
    const double bytes = cell->repeats * position_bytes(job->own) * (double)job->own->positions;
    const size_t most = bytes < (double)job->cache.block[0].length ? (size_t)bytes : job->cache.block[0].length;
    job->roof_bytes = most / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT;
    cell->roof_bytes = job->roof_bytes;
    return job->roof_bytes ? 0 : -EINVAL;
}

static int take_pairs(struct job *job, struct session *session, struct cell *cell, struct team *team, unsigned pairs)
{
    const struct sampler_work work = {.context = job, .region = cell->name, .run = run};
    struct sample *samples = calloc(2 * pairs, sizeof *samples);
    int error = samples ? begin_roof(job, cell) : -ENOMEM;
    if (!error)
        error = sampler_take(team, &session->instruments, &work, samples, 2 * pairs);
    for (unsigned i = 0; !error && i < pairs; i++) {
        samples[2 * i].stream = session_stream_id(&session->roof[1].stream);
        error = samples_append(&cell->roof, &samples[2 * i], 1);
        if (!error)
            error = samples_append(&cell->samples, &samples[2 * i + 1], 1);
    }
    free(samples);
    return error;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job job = {.session = session, .cell = cell, .own = layer_cell(cell)};
    struct team *team = session_team(session, 1, cell->why, sizeof cell->why);
    int error = weights_need_roof(session, cell);
    if (!error)
        error = team ? open_vectors(&job, session) : -EINVAL;
    if (!error)
        error = open_cache(&job, session, team);
    if (!error && cell->cold) {
        error = take_pairs(&job, session, cell, team, count);
    } else if (!error) {
        struct sampler_work work = {.context = &job, .region = cell->name, .run = run};
        run(&job, 0, 0);
        error = cell_take(session, cell, &work, count);
    }
    if (job.cache.block)
        decode_cache_release(&job.cache);
    free(job.attention.out);
    free(job.most);
    free(job.memory);
    return error;
}

/* ---- what they say ---- */

static const struct cell *find(const struct session *session, const struct cells *cells, const struct model *model,
                               enum layer_cache cache, enum layer_step step)
{
    const struct decode_code code = layer_best_code(session, cache);
    char name[160];
    name_cell(&code, model, cache, step, name, sizeof name);
    return cells_find(cells, name);
}

double layer_time(const struct session *session, const struct cells *cells, const struct model *model,
                  enum layer_cache cache, enum layer_step step)
{
    const struct cell *cell = find(session, cells, model, cache, step);
    return cell ? summary_stated(summary_time(cell)) : (double)NAN;
}

/** Seconds of a position, of computing or from memory. */
static double position_time(const struct cell *cell)
{
    return cell ? summary_stated(summary_time(cell)) / (double)layer_cell(cell)->positions : (double)NAN;
}

struct layer_attention_constants layer_attention_constants(const struct session *session, const struct cells *cells,
                                                           const struct model *model, enum layer_cache cache)
{
    const struct cell *computed = find(session, cells, model, cache, LAYER_STEP_ATTENTION),
                      *cold = find(session, cells, model, cache, LAYER_STEP_COLD);
    struct layer_attention_constants of = {position_time(computed),
                                           cold ? summary_stated(roof_paired_bandwidth(cold)) : (double)NAN, NAN};
    if (cold)
        of.omega =
            roofline_overlap(position_time(cold), position_bytes(layer_cell(cold)) / of.bytes_per_s, of.position_s);
    return of;
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct layer_cell *own = layer_cell(cell);
    const struct model *model = &own->model;
    json_t *record = json_pack("{s:s, s:s, s:s, s:s}", "type", "layer", "name", step_names[own->step], "kernel",
                               code_of(&own->code, own->step)->name, "isa", code_of(&own->code, own->step)->isa);
    if (own->step == LAYER_STEP_NORM || own->step == LAYER_STEP_GATE) {
        field_set(record, "values",
                  json_integer((json_int_t)(own->step == LAYER_STEP_NORM ? model->hidden : model->ffn)));
    } else {
        field_set(record, "heads", json_integer((json_int_t)model->heads));
        field_set(record, "kv_heads", json_integer((json_int_t)model->kv_heads));
        field_set(record, "head_size", json_integer((json_int_t)model->head_size));
        field_set(record, "cache", json_string(layer_cache_name(own->cache)));
    }
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    if (is_attention(own->step)) {
        const double bytes = position_bytes(own) * (double)own->positions;
        field_set(record, "positions", json_integer((json_int_t)own->positions));
        field_set_quantity(record, "bytes_per_cycle_per_core", summary_per_cycle(cell, bytes), "B/cycle");
    }
    if (cell->cold) {
        field_set_quantity(record, "roof_bytes_per_s", roof_paired_bandwidth(cell), "B/s");
        field_set_quantity(record, "roof_fraction",
                           roof_paired_fraction(cell, position_bytes(own) * (double)own->positions), "1");
        field_set_number(record, "omega", layer_attention_constants(session, cells, model, own->cache).omega);
    }
    field_set_proof(record, cell);
    return record;
}

/** Those samples count whose read of the roof was kept, too. */
static size_t kept(const struct cell *cell)
{
    return cell->cold ? roof_paired_bandwidth(cell).summary.n : summary_time(cell).summary.n;
}

static void settle(struct cells *cells)
{
    roof_paired_choose_all(cells, &cell_kind_layer);
}

/** As the passes that are predicted from it. */
static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning, (void)cell;
    return CELL_PAPERS;
}

/** Of a core that writes keys and values for the first time, bytes a second, and reads them and the roof. */
static const double FILLS = 1e9, READS = 5e9;

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    const struct layer_cell *own = layer_cell(cell);
    const double bytes = position_bytes(own) * (double)own->positions;
    return (struct cell_cost){.visit_s = 0.002 + (cell->cold ? bytes * (double)own->layers / FILLS : 0),
                              .sample_s = cell->cold ? 2 * cell->repeats * bytes / READS : 0.001};
}

const struct cell_kind cell_kind_layer = {
    .name = "layer",
    .own = sizeof(struct layer_cell),
    .visit = visit,
    .kept = kept,
    .settle = settle,
    .rank = 45,
    .value = value,
    .cost = cost,
    .record = record_of,
};
