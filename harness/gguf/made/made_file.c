/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/made/made_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/gguf/made/drawn_blocks.h"
#include "harness/gguf/made/gguf_writer.h"
#include "harness/gguf/synthetic.h"
#include "micro/isa/random.h"
#include "results/files/file_replace.h"
#include "results/text/refuse.h"

enum {
    ALIGNMENT = 32,
    QUANTIZATION_VERSION = 2, /* of all K-quants that are in use */
    DRAWS = 16,               /* types times lengths of rows */
    CHUNK = 1 << 20,
};

static const float norm_deviation = 0.1F;
static const float norm_epsilon = 1e-5F;

struct making {
    const struct listed_file *listed;
    const volatile int *stop;
    struct file_replacement file;
    struct gguf_bytes header;
    struct drawn_blocks draws[DRAWS];
    size_t draw_count;
    uint64_t random;
    uint8_t chunk[CHUNK];
    char *why;
    size_t size;
};

static uint64_t padded(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* ---- the header ---- */

static void put_metadata(struct gguf_bytes *header, const struct model *model)
{
    const struct {
        const char *key;
        size_t value;
    } numbers[] = {
        {"vocab_size", model->vocabulary},
        {"context_length", MADE_FILE_CONTEXT},
        {"embedding_length", model->hidden},
        {"block_count", model->layers},
        {"feed_forward_length", model->ffn},
        {"attention.head_count", model->heads},
        {"attention.head_count_kv", model->kv_heads},
        {"attention.key_length", model->head_size},
        {"attention.value_length", model->head_size},
        {"rope.dimension_count", model->rope_values},
    };
    char key[64];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(key, sizeof key, "%s.%s", model->architecture, numbers[i].key);
        gguf_put_entry_u32(header, key, (uint32_t)numbers[i].value);
    }
    snprintf(key, sizeof key, "%s.attention.layer_norm_rms_epsilon", model->architecture);
    gguf_put_entry_f32(header, key, norm_epsilon);
    snprintf(key, sizeof key, "%s.rope.freq_base", model->architecture);
    gguf_put_entry_f32(header, key, (float)model->rope_base);
}

static void put_header(struct gguf_bytes *header, const struct listed_file *listed)
{
    enum { OF_ARCHITECTURE = 12, OF_ALL = 6 };
    const struct model *model = &listed->model;
    uint64_t offset = 0;
    gguf_put_header(header, 3, listed->file.tensor_count, OF_ARCHITECTURE + OF_ALL + (listed->mix->file_type != 0));
    gguf_put_entry_text(header, "general.architecture", model->architecture);
    gguf_put_entry_text(header, "general.type", "model");
    gguf_put_entry_text(header, "general.name", model->name);
    gguf_put_entry_text(header, "general.description", "drawn weights, made by kneepoint");
    put_metadata(header, model);
    if (listed->mix->file_type)
        gguf_put_entry_u32(header, "general.file_type", listed->mix->file_type);
    gguf_put_entry_u32(header, "general.quantization_version", QUANTIZATION_VERSION);
    gguf_put_entry_text(header, "tokenizer.ggml.model", "no_vocab");
    for (size_t i = 0; i < listed->file.tensor_count; i++) {
        const struct gguf_tensor *tensor = &listed->tensor[i];
        gguf_put_tensor(header, listed->name[i], tensor->size[0], tensor->dimensions == 2 ? tensor->size[1] : 0,
                        tensor->type_id, offset);
        offset += padded(tensor->bytes);
    }
    gguf_put_padding(header, ALIGNMENT);
}

/* ---- tensors ---- */

/** Those of the type for rows of this length; NULL with an error. */
static const struct drawn_blocks *draw_of(struct making *making, const struct gguf_tensor *tensor, int *error)
{
    const double deviation = 1 / sqrt((double)tensor->size[0]);
    for (size_t i = 0; i < making->draw_count; i++) {
        if (making->draws[i].type == tensor->type && making->draws[i].deviation == deviation)
            return &making->draws[i];
    }
    if (making->draw_count == DRAWS)
        drawn_blocks_close(&making->draws[--making->draw_count]);
    struct drawn_blocks *draw = &making->draws[making->draw_count];
    *error = drawn_blocks_open(tensor->type, deviation, draw, making->why, making->size);
    making->draw_count += !*error;
    return *error ? NULL : draw;
}

static int add(struct making *making, size_t length)
{
    if (making->stop && *making->stop)
        return refuse(-EINTR, making->why, making->size, "interrupted");
    return file_replacement_add(&making->file, making->chunk, length, making->why, making->size);
}

/** Norms around 1, biases around 0. */
static int add_vector(struct making *making, const struct gguf_tensor *tensor)
{
    float numbers[256];
    const size_t most = sizeof numbers / sizeof *numbers;
    const float center = memmem(tensor->name.at, tensor->name.length, "norm", 4) ? 1 : 0;
    int error = 0;
    for (uint64_t left = tensor->size[0]; !error && left;) {
        size_t count = left < most ? (size_t)left : most;
        synthetic_weights(SYNTHETIC_GAUSSIAN, 1, count, random_bits(&making->random), numbers);
        for (size_t i = 0; i < count; i++)
            numbers[i] = center + norm_deviation * numbers[i];
        memcpy(making->chunk, numbers, count * sizeof *numbers);
        error = add(making, count * sizeof *numbers);
        left -= count;
    }
    return error;
}

static int add_matrix(struct making *making, const struct gguf_tensor *tensor, const struct drawn_blocks *draw)
{
    const size_t whole = CHUNK / draw->unit_bytes * draw->unit_bytes, tail = tensor->type->tail_bytes;
    int error = 0;
    for (uint64_t left = tensor->bytes - tail; !error && left;) {
        size_t length = left < whole ? (size_t)left : whole;
        drawn_blocks_fill(draw, making->chunk, length, &making->random);
        error = add(making, length);
        left -= length;
    }
    if (error || !tail)
        return error;
    memset(making->chunk, 0, tail);
    memcpy(making->chunk, &draw->scale, sizeof draw->scale);
    return add(making, tail);
}

static int add_tensor(struct making *making, const struct gguf_tensor *tensor)
{
    int error = 0;
    if (tensor->dimensions == 1) {
        error = add_vector(making, tensor);
    } else {
        const struct drawn_blocks *draw = draw_of(making, tensor, &error);
        error = draw ? add_matrix(making, tensor, draw) : error;
    }
    if (error)
        return error;
    memset(making->chunk, 0, ALIGNMENT);
    return add(making, padded(tensor->bytes) - tensor->bytes);
}

/** Before anything is written. */
static int check(const struct listed_file *listed, const char *path, char *why, size_t size)
{
    for (size_t i = 0; i < listed->file.tensor_count; i++) {
        if (!listed->tensor[i].type->format)
            return refuse(-ENOTSUP, why, size, "%s: %s would be of type %s, which no format here is",
                          listed->model.name, listed->name[i], listed->tensor[i].type->name);
    }
    if (access(path, F_OK) == 0)
        return refuse(-EEXIST, why, size, "%s is there already; name another file, or remove it first", path);
    return 0;
}

static int write_all(struct making *making, const char *path, uint64_t *bytes)
{
    const struct listed_file *listed = making->listed;
    *bytes = making->header.length;
    for (size_t i = 0; i < listed->file.tensor_count; i++)
        *bytes += padded(listed->tensor[i].bytes);
    int error = file_replacement_begin(&making->file, path, *bytes, making->why, making->size);
    if (error)
        return error;
    error = file_replacement_add(&making->file, making->header.at, making->header.length, making->why, making->size);
    for (size_t i = 0; !error && i < listed->file.tensor_count; i++)
        error = add_tensor(making, &listed->tensor[i]);
    if (!error)
        return file_replacement_end(&making->file, making->why, making->size);
    file_replacement_drop(&making->file);
    return error;
}

int made_file_write(const struct listed_file *listed, const char *path, const volatile int *stop, uint64_t *bytes,
                    char *why, size_t size)
{
    int error = check(listed, path, why, size);
    if (error)
        return error;
    struct making *making = calloc(1, sizeof *making);
    if (!making)
        return refuse(-ENOMEM, why, size, "no memory");
    making->listed = listed;
    making->stop = stop;
    making->why = why;
    making->size = size;
    put_header(&making->header, listed);
    error = making->header.full
                ? refuse(-E2BIG, why, size, "%s has too many tensors for one header", listed->model.name)
                : write_all(making, path, bytes);
    for (size_t i = 0; i < making->draw_count; i++)
        drawn_blocks_close(&making->draws[i]);
    free(making);
    return error;
}
