/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/listed_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/given_model.h"
#include "results/text/refuse.h"

/* Matrices, norms and biases of a layer; the embeddings, the head and the norm before it. */
enum { BIASES = DECODE_V + 1, LAYER_TENSORS = DECODE_ROLES + DECODE_NORMS + BIASES, OTHER_TENSORS = 3 };

static void add(struct listed_file *listed, const char *type, size_t m, size_t k)
{
    const size_t at = listed->file.tensor_count++;
    const struct gguf_type *of = gguf_type_named(type);
    listed->tensor[at] =
        (struct gguf_tensor){.name = {listed->name[at], strlen(listed->name[at])},
                             .type_id = of->id,
                             .type = of,
                             .dimensions = m == 1 ? 1 : 2,
                             .size = {k, m, 1, 1},
                             .bytes = (uint64_t)m * (k / of->block_columns) * of->block_bytes + of->tail_bytes};
    listed->file.tensors[at] = (struct model_tensor){.tensor = &listed->tensor[at]};
    listed->file.bytes += listed->tensor[at].bytes;
}

static char *next_name(struct listed_file *listed)
{
    return listed->name[listed->file.tensor_count];
}

static void add_norms(struct listed_file *listed, size_t layer)
{
    static const char *const names[DECODE_NORMS] = {"attn_norm", "ffn_norm", "attn_sub_norm", "ffn_sub_norm"};
    const struct model *model = &listed->model;
    const size_t lengths[DECODE_NORMS] = {model->hidden, model->hidden, model->heads * model->head_size, model->ffn};
    for (int norm = 0; norm < (model->sub_norms ? DECODE_NORMS : DECODE_NORM_O); norm++) {
        snprintf(next_name(listed), sizeof *listed->name, "blk.%zu.%s.weight", layer, names[norm]);
        add(listed, "F32", 1, lengths[norm]);
    }
}

static void add_layer(struct listed_file *listed, const struct file_mix *mix, size_t layer)
{
    const struct model *model = &listed->model;
    for (int role = 0; role < DECODE_ROLES; role++) {
        size_t m, k;
        decode_shape(model, role, &m, &k);
        snprintf(next_name(listed), sizeof *listed->name, "blk.%zu.%s.weight", layer, given_model_role(role));
        add(listed, file_mix_type(mix, model, layer, role), m, k);
        if (model->biases && role < BIASES) {
            snprintf(next_name(listed), sizeof *listed->name, "blk.%zu.%s.bias", layer, given_model_role(role));
            add(listed, "F32", 1, m);
        }
    }
    add_norms(listed, layer);
}

static void add_all(struct listed_file *listed, const struct file_mix *mix)
{
    const struct model *model = &listed->model;
    const char *head = file_mix_type(mix, model, 0, DECODE_ROLES);
    snprintf(next_name(listed), sizeof *listed->name, "token_embd.weight");
    add(listed, model->tied ? head : file_mix_embedding_type(mix, model), model->vocabulary, model->hidden);
    for (size_t layer = 0; layer < model->layers; layer++)
        add_layer(listed, mix, layer);
    snprintf(next_name(listed), sizeof *listed->name, "output_norm.weight");
    add(listed, "F32", 1, model->hidden);
    if (model->tied)
        return;
    snprintf(next_name(listed), sizeof *listed->name, "output.weight");
    add(listed, head, model->vocabulary, model->hidden);
}

static struct model_facts facts_of(const struct model *model)
{
    return (struct model_facts){.name = {model->name, strlen(model->name)},
                                .architecture = {model->architecture, strlen(model->architecture)},
                                .layers = model->layers,
                                .embedding = model->hidden,
                                .heads = model->heads,
                                .kv_heads = model->kv_heads,
                                .key_length = model->head_size,
                                .value_length = model->head_size,
                                .kv_values = 2.0 * (double)(model->layers * model->kv_heads * model->head_size)};
}

static int refuse_rows(const struct listed_file *listed, const struct file_mix *mix, char *why, size_t size)
{
    for (size_t i = 0; i < listed->file.tensor_count; i++) {
        const struct gguf_tensor *tensor = &listed->tensor[i];
        if (tensor->size[0] % tensor->type->block_columns)
            return refuse(-ENOTSUP, why, size, "%s: rows of %zu columns are no whole blocks of %u, which %s needs",
                          listed->model.name, (size_t)tensor->size[0], tensor->type->block_columns, mix->name);
    }
    return 0;
}

static int allocate(struct listed_file *listed)
{
    const size_t count = listed->model.layers * LAYER_TENSORS + OTHER_TENSORS;
    listed->tensor = calloc(count, sizeof *listed->tensor);
    listed->name = calloc(count, sizeof *listed->name);
    listed->file.tensors = calloc(count, sizeof *listed->file.tensors);
    return listed->tensor && listed->name && listed->file.tensors ? 0 : -ENOMEM;
}

int listed_file_open(const struct model *model, const struct file_mix *mix, struct listed_file *listed, char *why,
                     size_t size)
{
    *listed = (struct listed_file){.model = *model, .mix = mix};
    if (!model->architecture[0])
        return refuse(-ENOTSUP, why, size,
                      "%s: q, k and v are one matrix in its files, and the types here are of three", model->name);
    if (allocate(listed)) {
        listed_file_close(listed);
        return refuse(-ENOMEM, why, size, "no memory");
    }
    add_all(listed, mix);
    int error = refuse_rows(listed, mix, why, size);
    if (error) {
        listed_file_close(listed);
        return error;
    }
    snprintf(listed->model.name, sizeof listed->model.name, "%.20s-%s", model->name, mix->name);
    listed->facts = facts_of(&listed->model);
    return 0;
}

void listed_file_close(struct listed_file *listed)
{
    free(listed->tensor);
    free(listed->name);
    model_file_close(&listed->file);
    *listed = (struct listed_file){.tensor = NULL};
}
