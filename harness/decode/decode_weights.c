/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode_weights.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/team/gemv.h"

enum { PATTERN_BYTES = 1 << 20, LINE = 64 };

static size_t lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/** Where a given matrix is: the head lies after all layers, and layers that there is no memory for are left out. */
static size_t given_at(const struct model *facts, size_t layer, int role)
{
    return role == DECODE_ROLES ? facts->layers * DECODE_ROLES : layer * DECODE_ROLES + (size_t)role;
}

const struct kernel *decode_weights_kernel(const struct decode_weights_request *request, size_t layer, int role)
{
    if (request->given && request->given->kernel)
        return request->given->kernel[given_at(request->facts, layer, role)];
    return role < DECODE_ROLES ? request->kernel[role] : request->head;
}

struct decode_prefetch decode_found_of(const struct decode_found *found, const struct kernel *kernel)
{
    size_t at = 0;
    while (found && at < found->count && found->of[at].kernel != kernel)
        at++;
    return found && at < found->count ? (struct decode_prefetch){.given = true, .bytes = found->of[at].bytes}
                                      : (struct decode_prefetch){.given = false};
}

/** Of a layer and a role, or the head, DECODE_ROLES. */
static struct decode_matrix matrix_of(const struct decode_weights_request *request, size_t layer, int role)
{
    struct decode_matrix matrix = {.kernel = decode_weights_kernel(request, layer, role),
                                   .prefetch = request->prefetch[role],
                                   .scale = 1,
                                   .schedule = role < DECODE_ROLES ? request->schedule : request->head_schedule,
                                   .tokens =
                                       role < DECODE_ROLES || request->users ? request->tokens : request->tokens > 0};
    decode_shape(request->facts, role, &matrix.m, &matrix.k);
    if (!matrix.prefetch.given)
        matrix.prefetch = decode_found_of(request->found, matrix.kernel);
    return matrix;
}

/** Layers that may have kernels of their own. */
static size_t different_layers(const struct decode_weights_request *request)
{
    return request->given && request->given->kernel ? request->distinct : 1;
}

int decode_kernels_add(struct decode_kernels *kernels, int role, const struct kernel *kernel)
{
    size_t at = 0;
    while (at < kernels->count[role] && kernels->of[role][at] != kernel)
        at++;
    if (at == DECODE_KERNELS_MOST)
        return -EINVAL;
    if (at == kernels->count[role])
        kernels->of[role][kernels->count[role]++] = kernel;
    return 0;
}

int decode_kernels_of(const struct decode_weights_request *request, struct decode_kernels *kernels)
{
    size_t layers = request->given && request->given->kernel ? request->facts->layers : 1;
    int error = 0;
    *kernels = (struct decode_kernels){0};
    for (size_t i = 0; !error && i < layers * DECODE_ROLES; i++) {
        int role = (int)(i % DECODE_ROLES);
        error = decode_kernels_add(kernels, role, decode_weights_kernel(request, i / DECODE_ROLES, role));
    }
    return error ? error : decode_kernels_add(kernels, DECODE_ROLES, decode_weights_kernel(request, 0, DECODE_ROLES));
}

int decode_weights_accepted(const struct decode_weights_request *request, char *why, size_t size)
{
    size_t matrices = different_layers(request) * DECODE_ROLES;
    for (size_t i = 0; i <= matrices; i++) {
        int role = i < matrices ? (int)(i % DECODE_ROLES) : DECODE_ROLES;
        struct decode_matrix matrix = matrix_of(request, i < matrices ? i / DECODE_ROLES : 0, role);
        char reason[160];
        if (!kernel_accepts(matrix.kernel, matrix.m, matrix.k, reason, sizeof reason))
            continue;
        snprintf(why, size, "%s cannot hold the matrix %s of %s: %s", matrix.kernel->format->name,
                 decode_role_name(role), request->facts->name, reason);
        return -EINVAL;
    }
    return 0;
}

static uint64_t packed_bytes(const struct decode_weights_request *request, size_t layer, int role)
{
    struct decode_matrix matrix = matrix_of(request, layer, role);
    return format_packed_bytes(matrix.kernel->format, matrix.m, matrix.k);
}

uint64_t decode_weights_bytes(const struct decode_weights_request *request)
{
    uint64_t bytes = packed_bytes(request, 0, DECODE_ROLES);
    for (size_t i = 0; i < request->distinct * DECODE_ROLES; i++)
        bytes += packed_bytes(request, i / DECODE_ROLES, (int)(i % DECODE_ROLES));
    return bytes;
}

/* ---- the patterns ---- */

/** Valid random units of a format and K, at least a panel, and their root mean square. */
struct pattern {
    const struct kernel *kernel;
    size_t k, units, unit_bytes;
    uint8_t *bytes;
    double rms;
};

static uint64_t draw(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    return *random ^= *random << 17;
}

static double rms_of(const struct pattern *pattern)
{
    const struct format *format = pattern->kernel->format;
    double squares = 0;
    for (size_t i = 0; i < pattern->k; i++) {
        double weight =
            format_weight(format, pattern->bytes, pattern->k, (uint32_t)(i % format->rows_per_panel), (uint32_t)i);
        squares += weight * weight;
    }
    return sqrt(squares / (double)pattern->k);
}

static int draw_pattern(struct pattern *pattern, uint64_t *random)
{
    const struct format *format = pattern->kernel->format;
    size_t panel_units = gemv_units_per_panel(pattern->kernel, pattern->k);
    pattern->unit_bytes = gemv_unit_bytes(pattern->kernel, pattern->k);
    size_t panels = PATTERN_BYTES / (panel_units * pattern->unit_bytes) + 1;
    pattern->units = panels * panel_units;
    size_t bytes = lines(pattern->units * pattern->unit_bytes);
    pattern->bytes = aligned_alloc(LINE, bytes);
    if (!pattern->bytes)
        return -ENOMEM;
    for (size_t i = 0; i < bytes / sizeof(uint64_t); i++) {
        uint64_t word = draw(random);
        memcpy(pattern->bytes + i * sizeof word, &word, sizeof word);
    }
    if (format_is_uniform(format))
        format_fill(format, pattern->bytes, pattern->units * pattern->unit_bytes / format->step_bytes, pattern->k,
                    random);
    else
        format_fill(format, pattern->bytes, panels, format_columns(format, pattern->k), random);
    pattern->rms = rms_of(pattern);
    return 0;
}

/* Of the kernels of one model and the lengths of its rows. */
enum { PATTERNS_MOST = 64 };

struct patterns {
    struct pattern pattern[PATTERNS_MOST];
    size_t count;
};

static const struct pattern *pattern_of(const struct patterns *patterns, const struct decode_matrix *matrix)
{
    for (size_t i = 0; i < patterns->count; i++) {
        if (patterns->pattern[i].kernel == matrix->kernel && patterns->pattern[i].k == matrix->k)
            return &patterns->pattern[i];
    }
    return NULL;
}

static bool are_packed(const struct decode_weights_request *request)
{
    return request->given && request->given->packed;
}

static int draw_patterns(struct patterns *patterns, const struct decode_weights_request *request)
{
    uint64_t random = request->seed | 1;
    const size_t matrices = different_layers(request) * DECODE_ROLES;
    int error = 0;
    for (size_t i = 0; !are_packed(request) && !error && i <= matrices; i++) {
        struct decode_matrix matrix = i < matrices ? matrix_of(request, i / DECODE_ROLES, (int)(i % DECODE_ROLES))
                                                   : matrix_of(request, 0, DECODE_ROLES);
        if (pattern_of(patterns, &matrix))
            continue;
        if (patterns->count == PATTERNS_MOST)
            return -ENOMEM;
        worker_beat(request->heart);
        struct pattern *pattern = &patterns->pattern[patterns->count++];
        *pattern = (struct pattern){.kernel = matrix.kernel, .k = matrix.k};
        error = draw_pattern(pattern, &random);
    }
    return error;
}

static void release_patterns(struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        free(patterns->pattern[i].bytes);
}

/* ---- the weights ---- */

struct making {
    struct decode_weights *weights;
    const struct decode_given *given;
    const struct patterns *patterns;
    struct decode_layer *layers;
    const uint8_t **stretch; /* [matrix][threads] */
    struct worker_beat *heart;
    int error;
};

static size_t member_bytes(const struct decode_matrix *matrix, unsigned member, unsigned threads)
{
    struct gemv_stretches of = decode_stretches(matrix, member, threads);
    return of.bytes[0] + of.bytes[1];
}

/** The given matrix that is number i of the model. */
static size_t given_of(const struct decode_model *model, size_t i)
{
    return given_at(&model->facts, i / DECODE_ROLES, decode_role_at(model, i));
}

static void copy_pattern(uint8_t *to, size_t bytes, const struct pattern *pattern)
{
    size_t whole = pattern->units * pattern->unit_bytes;
    for (size_t done = 0; done < bytes; done += whole)
        memcpy(to + done, pattern->bytes, bytes - done < whole ? bytes - done : whole);
}

/** A member's share of a packed matrix, and after it its pieces of the tail. */
static void copy_given(uint8_t *to, const uint8_t *packed, const struct decode_matrix *matrix, unsigned member,
                       unsigned threads)
{
    struct gemv_stretches of = decode_stretches(matrix, member, threads);
    memcpy(to, packed + of.first[0], of.bytes[0]);
    memcpy(to + of.bytes[0], packed + of.first[1], of.bytes[1]);
}

/** A member's stretch of each matrix, one after the other in its block, written by itself. */
static void make_member(void *context, unsigned member)
{
    struct making *making = context;
    const struct decode_model *model = &making->weights->model;
    unsigned threads = making->weights->threads;
    struct memory_block *block = &making->weights->block[member];
    size_t total = 0;
    for (size_t i = 0; i < decode_matrices(model); i++) {
        const struct decode_matrix *matrix = decode_matrix_at(model, i);
        total += lines(member_bytes(matrix, member, threads));
    }
    if (memory_reserve(total, block) || memory_populate(block, 0, total, NULL)) {
        __atomic_store_n(&making->error, -ENOMEM, __ATOMIC_RELAXED);
        return;
    }
    uint8_t *at = block->bytes;
    for (size_t i = 0; i < decode_matrices(model); i++) {
        const struct decode_matrix *matrix = decode_matrix_at(model, i);
        size_t bytes = member_bytes(matrix, member, threads);
        making->stretch[i * threads + member] = at;
        worker_beat(making->heart);
        if (making->given)
            copy_given(at, making->given->packed[given_of(model, i)], matrix, member, threads);
        else
            copy_pattern(at, bytes, pattern_of(making->patterns, matrix));
        at += lines(bytes);
    }
}

static size_t padded(size_t values)
{
    return (values + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
}

static size_t gain_length(const struct model *facts, int norm)
{
    return norm == DECODE_NORM_O      ? facts->heads * facts->head_size
           : norm == DECODE_NORM_DOWN ? facts->ffn
                                      : facts->hidden;
}

/** Values of [least, least + 1), zeros after them. */
static const float *draw_vector(float **at, size_t values, float least, uint64_t *random)
{
    float *vector = *at;
    for (size_t i = 0; i < values; i++)
        vector[i] = least + (float)(draw(random) >> 40) * 0x1p-24f;
    *at += padded(values);
    return vector;
}

/** Gains are the same in all layers but for their memory; those that a model has not are NULL. */
static void draw_vectors(struct decode_model *model, struct decode_layer *layers, float *vectors, uint64_t seed)
{
    uint64_t random = seed * 0x9e3779b97f4a7c15u | 1;
    for (size_t l = 0; l < model->distinct; l++) {
        for (int norm = 0; norm < DECODE_NORMS; norm++) {
            if (norm < DECODE_NORM_O || model->facts.sub_norms)
                layers[l].gain[norm] = draw_vector(&vectors, gain_length(&model->facts, norm), 0.5f, &random);
        }
    }
    model->last_gain = draw_vector(&vectors, model->facts.hidden, 0.5f, &random);
    model->embedding = draw_vector(&vectors, model->facts.hidden, -0.5f, &random);
}

/** One allocation for layers, pointers and vectors. */
static int lay_out(struct making *making, const struct decode_weights_request *request)
{
    struct decode_weights *weights = making->weights;
    struct decode_model *model = &weights->model;
    size_t vectors = 2 * padded(request->facts->hidden);
    for (int norm = 0; norm < DECODE_NORMS; norm++)
        vectors += request->distinct * padded(gain_length(request->facts, norm));
    size_t layer_bytes = lines(request->distinct * sizeof *making->layers);
    size_t pointer_bytes = lines((request->distinct * DECODE_ROLES + 1) * weights->threads * sizeof *making->stretch);
    size_t bytes = layer_bytes + pointer_bytes + vectors * sizeof(float);
    uint8_t *owned = aligned_alloc(LINE, lines(bytes));
    weights->owned = owned;
    weights->block = calloc(weights->threads, sizeof *weights->block);
    if (!owned || !weights->block)
        return -ENOMEM;
    memset(owned, 0, lines(bytes));
    making->layers = (void *)owned;
    making->stretch = (void *)(owned + layer_bytes);
    *model = (struct decode_model){
        .facts = *request->facts,
        .epsilon = 1e-5f,
        .distinct = request->distinct,
        .layer = making->layers,
        .speeds = request->speeds,
        .reader = request->reader,
    };
    draw_vectors(model, making->layers, (void *)(owned + layer_bytes + pointer_bytes), request->seed);
    return 0;
}

static void place_matrices(struct making *making, const struct decode_weights_request *request)
{
    struct decode_model *model = &making->weights->model;
    for (size_t i = 0; i < decode_matrices(model); i++) {
        const int role = decode_role_at(model, i);
        struct decode_matrix matrix = matrix_of(request, i / DECODE_ROLES, role);
        const struct pattern *pattern = pattern_of(making->patterns, &matrix);
        matrix.scale = are_packed(request) ? request->given->scale[given_of(model, i)]
                       : pattern->rms > 0  ? (float)(1 / (pattern->rms * sqrt((double)matrix.k)))
                                           : 1;
        matrix.stretch = making->stretch + i * making->weights->threads;
        if (role == DECODE_ROLES)
            model->head = matrix;
        else
            making->layers[i / DECODE_ROLES].matrix[role] = matrix;
    }
}

int decode_weights_open(struct decode_weights *weights, const struct decode_weights_request *request, struct team *team)
{
    *weights = (struct decode_weights){.threads = team_threads(team)};
    struct patterns patterns = {.count = 0};
    struct making making = {.weights = weights,
                            .given = are_packed(request) ? request->given : NULL,
                            .patterns = &patterns,
                            .heart = request->heart};
    int error = draw_patterns(&patterns, request);
    if (!error)
        error = lay_out(&making, request);
    if (!error) {
        place_matrices(&making, request);
        team_run(team, make_member, &making);
        error = making.error;
    }
    release_patterns(&patterns);
    if (error)
        decode_weights_release(weights);
    return error;
}

void decode_weights_release(struct decode_weights *weights)
{
    for (unsigned t = 0; weights->block && t < weights->threads; t++)
        memory_release(&weights->block[t]);
    free(weights->block);
    free(weights->owned);
    *weights = (struct decode_weights){0};
}

double decode_weights_huge(const struct decode_weights *weights)
{
    double huge = 0, all = 0;
    for (unsigned t = 0; t < weights->threads; t++) {
        huge += memory_huge_fraction(&weights->block[t]) * (double)weights->block[t].mapped;
        all += (double)weights->block[t].mapped;
    }
    return huge / all;
}
