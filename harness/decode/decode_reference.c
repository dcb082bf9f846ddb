/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The scalar pass, in double.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/decode/decode_check.h"
#include "harness/decode/prefill_pass.h"
#include "micro/layers/layer_reference.h"
#include "micro/quantization/column_order.h"
#include "micro/reference.h"

/* 64 MiB of weights that are read once for all tokens of a prompt; those of a larger model are read for each. */
enum { READ_MOST = 1 << 23 };

/** A matrix of the model as its format reads it. */
struct read_matrix {
    const struct decode_matrix *matrix;
    double *weights; /* [m][k] */
};

struct reference {
    const struct decode_model *model;
    const struct decode_cache *cache; /* NULL: of the prompt, in stored */
    size_t user;                      /* whose keys and values they are in the cache */
    uint16_t *stored; /* [layers][2][kv_heads][most positions][row_values]: keys and values so far, in bf16 */
    size_t positions, most, row_values; /* up to the token's own; of the whole prompt */
    unsigned threads;
    double *residual, *x, *heads, *queries, *gate, *up, *down; /* longest of all vectors each */
    uint8_t *keys, *values;                                    /* of a head, put together from its pieces */
    struct read_matrix *read;                                  /* NULL: each matrix is read for each product */
    size_t read_count;
};

/** The packed matrix, its stretches put together. */
static uint8_t *gather(const struct decode_matrix *matrix, unsigned threads)
{
    size_t bytes = format_packed_bytes(matrix->kernel->format, matrix->m, matrix->k);
    uint8_t *packed = aligned_alloc(64, (bytes + 63) / 64 * 64);
    for (unsigned t = 0; packed && t < threads; t++) {
        struct gemv_stretches of = decode_stretches(matrix, t, threads);
        memcpy(packed + of.first[0], matrix->stretch[t], of.bytes[0]);
        memcpy(packed + of.first[1], matrix->stretch[t] + of.bytes[0], of.bytes[1]);
    }
    return packed;
}

/** What a kernel takes of x, as its definition says, and the scale that its rows are to be multiplied with. */
struct taken {
    void *activations;
    uint8_t *prepared;
    double scale;
};

static double quantize(const double *x, size_t k, int8_t *q)
{
    double most = 0;
    for (size_t i = 0; i < k; i++)
        most = fmax(most, fabs(x[i]));
    for (size_t i = 0; i < k; i++)
        q[i] = (int8_t)(most < QUANTIZER_LEAST ? 0 : rint(x[i] * 127 / most));
    return most < QUANTIZER_LEAST ? 0 : most / 127;
}

/** To the order of the matrices of that K. @return 0 or -ENOMEM */
static int bring_into_order(const struct kernel *kernel, size_t k, size_t bytes, struct taken *taken)
{
    size_t groups = column_order_groups(kernel->format, k);
    uint16_t *order = calloc(groups + 1, sizeof *order);
    void *ordered = calloc(1, bytes);
    if (!order || !ordered) {
        free(order);
        free(ordered);
        return -ENOMEM;
    }
    column_order_draw(kernel->format, k, order);
    column_order_copy(kernel, taken->activations, format_columns(kernel->format, k), order, ordered);
    free(order);
    free(taken->activations);
    taken->activations = ordered;
    return 0;
}

static int take(const struct kernel *kernel, const double *x, size_t k, struct taken *taken)
{
    size_t columns = format_columns(kernel->format, k), bytes = (columns + 64) * sizeof(float);
    taken->activations = calloc(1, bytes);
    taken->prepared = NULL;
    taken->scale = 1;
    if (!taken->activations)
        return -ENOMEM;
    if (kernel->takes == KERNEL_TAKES_INT8) {
        taken->scale = quantize(x, k, taken->activations);
    } else {
        for (size_t i = 0; i < k; i++)
            ((float *)taken->activations)[i] = (float)x[i];
    }
    if (kernel->format->order_columns && bring_into_order(kernel, k, bytes, taken))
        return -ENOMEM;
    if (!kernel->prepare)
        return 0;
    taken->prepared = aligned_alloc(64, (kernel_prepared_bytes(kernel, k) + 127) / 64 * 64);
    if (!taken->prepared)
        return -ENOMEM;
    kernel->prepare(taken->activations, columns, taken->prepared);
    return 0;
}

static void release(struct taken *taken)
{
    free(taken->activations);
    free(taken->prepared);
}

/** The weights of a matrix, read when they are first asked for; NULL: they are not kept. */
static const double *weights_of(struct reference *reference, const struct decode_matrix *matrix, const uint8_t *packed)
{
    const struct format *format = matrix->kernel->format;
    const size_t rows = format->rows_per_panel, panel_bytes = format_panel_bytes(format, matrix->k);
    if (!reference->read)
        return NULL;
    for (size_t i = 0; i < reference->read_count; i++) {
        if (reference->read[i].matrix == matrix)
            return reference->read[i].weights;
    }
    double *weights = malloc(matrix->m * matrix->k * sizeof *weights);
    for (size_t first = 0; weights && first < matrix->m; first += rows)
        reference_weights(format, packed + first / rows * panel_bytes, matrix->k,
                          first + rows <= matrix->m ? rows : matrix->m - first, weights + first * matrix->k);
    reference->read[reference->read_count++] = (struct read_matrix){matrix, weights};
    return weights;
}

/** y = W x. */
static int multiply(struct reference *reference, const struct decode_matrix *matrix, const double *x, double *y)
{
    const struct kernel *kernel = matrix->kernel;
    size_t rows = kernel->format->rows_per_panel, panel_bytes = format_panel_bytes(kernel->format, matrix->k);
    struct taken taken = {0};
    int error = take(kernel, x, matrix->k, &taken);
    uint8_t *packed = gather(matrix, reference->threads);
    struct reference_row *row = calloc(rows, sizeof *row);
    error = packed && row ? error : -ENOMEM;
    const double *weights = error ? NULL : weights_of(reference, matrix, packed);
    for (size_t first = 0; !error && first < matrix->m; first += rows) {
        size_t count = first + rows <= matrix->m ? rows : matrix->m - first;
        const uint8_t *panel = packed + first / rows * panel_bytes;
        if (weights)
            reference_rows_of_weights(kernel, panel, weights + first * matrix->k, matrix->k, count, taken.activations,
                                      taken.prepared, row);
        else
            reference_rows(kernel, panel, matrix->k, count, taken.activations, taken.prepared, row);
        for (size_t r = 0; r < count; r++)
            y[first + r] = row[r].y * taken.scale * (double)matrix->scale;
    }
    release(&taken);
    free(packed);
    free(row);
    return error;
}

/** Rotate the heads of a vector at the newest position. */
static void rotate(const struct reference *reference, double *heads, size_t count)
{
    const struct model *facts = &reference->model->facts;
    size_t half = facts->rope_values / 2;
    double position = (double)(reference->positions - 1);
    for (size_t h = 0; h < count; h++) {
        double *head = heads + h * facts->head_size;
        for (size_t i = 0; i < half; i++) {
            double angle = position * pow(facts->rope_base, -2.0 * (double)i / (double)facts->rope_values);
            double a = head[i], b = head[half + i], c = (double)(float)cos(angle), s = (double)(float)sin(angle);
            head[i] = a * c - b * s;
            head[half + i] = b * c + a * s;
        }
    }
}

/** Keys or values of a layer and head of the prompt. */
static uint16_t *stored_at(const struct reference *reference, size_t layer, size_t head, bool values)
{
    size_t heads = reference->model->facts.kv_heads;
    return reference->stored + ((2 * layer + values) * heads + head) * reference->most * reference->row_values;
}

/** A head's keys or values of the cache, put together from its pieces. */
static void gather_cached(const struct reference *reference, size_t layer, size_t head, bool values, uint8_t *rows)
{
    const struct decode_cache *cache = reference->cache;
    size_t together = layer_cache_positions(cache->kind);
    size_t at = reference->user * reference->model->facts.kv_heads + head;
    for (size_t i = cache->head_piece[at]; i < cache->head_piece[at + 1]; i++) {
        const struct decode_piece *piece = &cache->pieces[i];
        memcpy(rows + piece->first / together * cache->tile_bytes,
               values ? decode_cache_values(cache, layer, piece) : decode_cache_keys(cache, layer, piece),
               (piece->positions + together - 1) / together * cache->tile_bytes);
    }
}

static enum layer_cache cache_of(const struct reference *reference)
{
    return reference->cache ? reference->cache->kind : LAYER_CACHE_BF16;
}

/** A head's keys or values, in one piece, with x as the newest. */
static void gather_rows(const struct reference *reference, size_t layer, size_t head, bool values, const double *x,
                        uint8_t *rows)
{
    const size_t size = reference->model->facts.head_size, row = reference->row_values,
                 newest = reference->positions - 1;
    const enum layer_cache kind = cache_of(reference);
    float padded[DECODE_HEAD_SIZE_MOST] = {0};
    for (size_t i = 0; i < size; i++)
        padded[i] = (float)x[i];
    if (reference->cache) {
        gather_cached(reference, layer, head, values, rows);
        layer_reference_store(kind, padded, row, rows, newest, values);
        return;
    }
    uint16_t *of_prompt = stored_at(reference, layer, head, values);
    layer_reference_store(kind, padded, row, of_prompt, newest, values);
    memcpy(rows, of_prompt, reference->positions * row * sizeof *of_prompt);
}

/** heads = attention of all query heads; key and value are the new rows of all key-value heads. */
static int attend(const struct reference *reference, size_t layer, const double *queries, const double *key,
                  const double *value, double *heads)
{
    const struct model *facts = &reference->model->facts;
    size_t size = facts->head_size, padded = model_head_padded(facts), group = facts->heads / facts->kv_heads;
    double query[1024] = {0}, out[1024];
    int error = 0;
    for (size_t h = 0; !error && h < facts->heads; h++) {
        gather_rows(reference, layer, h / group, false, key + h / group * size, reference->keys);
        gather_rows(reference, layer, h / group, true, value + h / group * size, reference->values);
        for (size_t i = 0; i < size; i++)
            query[i] = queries[h * size + i] / sqrt((double)size);
        error = layer_reference_attention(cache_of(reference), query, reference->keys, reference->values,
                                          reference->positions, padded, out);
        memcpy(heads + h * size, out, size * sizeof *out);
    }
    return error;
}

static void add(double *x, const double *more, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] += more[i];
}

static int run_layer(struct reference *reference, size_t index)
{
    const struct decode_model *model = reference->model;
    const struct model *facts = &model->facts;
    const struct decode_layer *layer = &model->layer[index % model->distinct];
    const struct decode_matrix *matrix = layer->matrix;
    double *x = reference->x, *gate = reference->gate, *up = reference->up, *down = reference->down;
    double epsilon = (double)model->epsilon;
    layer_reference_norm(reference->residual, layer->gain[DECODE_NORM_ATTENTION], facts->hidden, epsilon, x);
    int error = multiply(reference, &matrix[DECODE_Q], x, reference->queries);
    if (!error)
        error = multiply(reference, &matrix[DECODE_K], x, gate);
    if (!error)
        error = multiply(reference, &matrix[DECODE_V], x, up);
    if (error)
        return error;
    rotate(reference, reference->queries, facts->heads);
    rotate(reference, gate, facts->kv_heads);
    error = attend(reference, reference->cache ? index % reference->cache->layers : index, reference->queries, gate, up,
                   reference->heads);
    if (!error && facts->sub_norms)
        layer_reference_norm(reference->heads, layer->gain[DECODE_NORM_O], facts->heads * facts->head_size, epsilon,
                             reference->heads);
    if (!error)
        error = multiply(reference, &matrix[DECODE_O], reference->heads, down);
    if (error)
        return error;
    add(reference->residual, down, facts->hidden);
    layer_reference_norm(reference->residual, layer->gain[DECODE_NORM_FFN], facts->hidden, epsilon, x);
    error = multiply(reference, &matrix[DECODE_GATE], x, gate);
    if (!error)
        error = multiply(reference, &matrix[DECODE_UP], x, up);
    for (size_t i = 0; i < facts->ffn; i++)
        gate[i] = layer_reference_gate(facts->activation, gate[i], up[i]);
    if (!error && facts->sub_norms)
        layer_reference_norm(gate, layer->gain[DECODE_NORM_DOWN], facts->ffn, epsilon, gate);
    if (!error)
        error = multiply(reference, &matrix[DECODE_DOWN], gate, down);
    if (!error)
        add(reference->residual, down, facts->hidden);
    return error;
}

static int open(struct reference *reference)
{
    const struct model *facts = &reference->model->facts;
    size_t rows = reference->most * reference->row_values, together = layer_cache_positions(cache_of(reference));
    size_t bytes =
        (reference->most + together - 1) / together * layer_cache_bytes(cache_of(reference), reference->row_values);
    size_t length = facts->hidden + facts->ffn + facts->heads * facts->head_size;
    double *vectors = calloc(7 * length, sizeof *vectors);
    double **const each[] = {&reference->residual, &reference->x,  &reference->heads, &reference->queries,
                             &reference->gate,     &reference->up, &reference->down};
    for (size_t i = 0; vectors && i < 7; i++)
        *each[i] = vectors + i * length;
    reference->keys = calloc(2, bytes);
    reference->values = reference->keys ? reference->keys + bytes : NULL;
    reference->stored =
        reference->cache ? NULL : calloc(2 * facts->layers * facts->kv_heads * rows, sizeof *reference->stored);
    return vectors && reference->keys && (reference->cache || reference->stored) ? 0 : -ENOMEM;
}

static void release_all(struct reference *reference)
{
    for (size_t i = 0; i < reference->read_count; i++)
        free(reference->read[i].weights);
    free(reference->read);
    free(reference->residual);
    free(reference->keys);
    free(reference->stored);
}

/** Of a prompt of several tokens: let weights be kept if they are few. Without memory they are not. */
static void keep_weights(struct reference *reference)
{
    const struct decode_model *model = reference->model;
    size_t weights = 0;
    for (size_t i = 0; i < decode_matrices(model); i++)
        weights += decode_matrix_at(model, i)->m * decode_matrix_at(model, i)->k;
    if (reference->most > 1 && weights <= READ_MOST)
        reference->read = calloc(decode_matrices(model), sizeof *reference->read);
}

static int run_layers(struct reference *reference, const float *embedding)
{
    int error = 0;
    for (size_t i = 0; i < reference->model->facts.hidden; i++)
        reference->residual[i] = (double)embedding[i];
    for (size_t index = 0; !error && index < reference->model->facts.layers; index++)
        error = run_layer(reference, index);
    return error;
}

static int run_head(struct reference *reference, double *logits)
{
    const struct decode_model *model = reference->model;
    layer_reference_norm(reference->residual, model->last_gain, model->facts.hidden, (double)model->epsilon,
                         reference->x);
    return multiply(reference, &model->head, reference->x, logits);
}

int decode_check_logits(const struct decode_model *model, const struct decode_cache *cache, size_t user,
                        unsigned threads, double *logits)
{
    struct reference reference = {.model = model,
                                  .cache = cache,
                                  .user = user,
                                  .positions = decode_lengths_of(&cache->lengths, user),
                                  .most = decode_lengths_of(&cache->lengths, user),
                                  .row_values = cache->row_values,
                                  .threads = threads};
    float *embedding = calloc(model->facts.hidden, sizeof *embedding);
    int error = embedding ? open(&reference) : -ENOMEM;
    if (!error) {
        prefill_embedding(model, user, embedding);
        error = run_layers(&reference, embedding);
    }
    if (!error)
        error = run_head(&reference, logits);
    release_all(&reference);
    free(embedding);
    return error;
}

int prefill_check_logits(const struct decode_model *model, size_t tokens, unsigned threads, double *logits)
{
    struct reference reference = {
        .model = model, .most = tokens, .row_values = model_head_padded(&model->facts), .threads = threads};
    float *embedding = calloc(model->facts.hidden, sizeof *embedding);
    int error = embedding ? open(&reference) : -ENOMEM;
    if (!error)
        keep_weights(&reference);
    for (size_t token = 0; !error && token < tokens; token++) {
        prefill_embedding(model, token, embedding);
        reference.positions = token + 1;
        error = run_layers(&reference, embedding);
    }
    if (!error)
        error = run_head(&reference, logits);
    release_all(&reference);
    free(embedding);
    return error;
}

double decode_check_distance(const float *logits, const double *reference, size_t count)
{
    double apart = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        apart += ((double)logits[i] - reference[i]) * ((double)logits[i] - reference[i]);
        all += reference[i] * reference[i];
    }
    double distance = sqrt(apart / all);
    return isfinite(distance) ? distance : NAN;
}
