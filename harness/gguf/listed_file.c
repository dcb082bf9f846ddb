/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/listed_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/given_model.h"
#include "results/text/refuse.h"

/* Matrices and norms of a layer; the head and the norm before it. */
enum { LAYER_TENSORS = DECODE_ROLES + DECODE_NORMS, LAST_TENSORS = 2 };

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

static void add_all(struct listed_file *listed, const struct file_mix *mix)
{
    const struct model *model = &listed->model;
    for (size_t layer = 0; layer < model->layers; layer++) {
        for (int role = 0; role < DECODE_ROLES; role++) {
            size_t m, k;
            decode_shape(model, (enum decode_role)role, &m, &k);
            snprintf(next_name(listed), sizeof *listed->name, "blk.%zu.%s.weight", layer, given_model_role(role));
            add(listed, file_mix_type(mix, model, layer, role), m, k);
        }
        add_norms(listed, layer);
    }
    snprintf(next_name(listed), sizeof *listed->name, "output_norm.weight");
    add(listed, "F32", 1, model->hidden);
    snprintf(next_name(listed), sizeof *listed->name, "output.weight");
    add(listed, file_mix_type(mix, model, 0, DECODE_ROLES), model->vocabulary, model->hidden);
}

static struct model_facts facts_of(const struct model *model)
{
    static const char architecture[] = "llama";
    return (struct model_facts){.name = {model->name, strlen(model->name)},
                                .architecture = {architecture, strlen(architecture)},
                                .layers = model->layers,
                                .embedding = model->hidden,
                                .heads = model->heads,
                                .kv_heads = model->kv_heads,
                                .key_length = model->head_size,
                                .value_length = model->head_size,
                                .kv_values = 2.0 * (double)(model->layers * model->kv_heads * model->head_size)};
}

/** Files of some models hold q, k and v in one matrix, which has a type of its own. */
static int refuse_model(const struct model *model, const struct file_mix *mix, char *why, size_t size)
{
    if (strncmp(model->name, "chatglm", strlen("chatglm")) == 0)
        return refuse(-ENOTSUP, why, size,
                      "%s: q, k and v are one matrix in its files, and the types here are of three", model->name);
    const size_t lengths[] = {model->hidden, model->heads * model->head_size, model->ffn};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if (lengths[i] % 32)
            return refuse(-ENOTSUP, why, size, "%s: rows of %zu columns are no whole blocks of 32, which %s needs",
                          model->name, lengths[i], mix->name);
    }
    return 0;
}

int listed_file_open(const struct model *model, const struct file_mix *mix, struct listed_file *listed, char *why,
                     size_t size)
{
    *listed = (struct listed_file){.model = *model};
    int error = refuse_model(model, mix, why, size);
    if (error)
        return error;
    const size_t count = model->layers * LAYER_TENSORS + LAST_TENSORS;
    listed->tensor = calloc(count, sizeof *listed->tensor);
    listed->name = calloc(count, sizeof *listed->name);
    listed->file.tensors = calloc(count, sizeof *listed->file.tensors);
    if (!listed->tensor || !listed->name || !listed->file.tensors) {
        listed_file_close(listed);
        return refuse(-ENOMEM, why, size, "no memory");
    }
    snprintf(listed->model.name, sizeof listed->model.name, "%.20s-%s", model->name, mix->name);
    listed->facts = facts_of(&listed->model);
    add_all(listed, mix);
    return 0;
}

void listed_file_close(struct listed_file *listed)
{
    free(listed->tensor);
    free(listed->name);
    model_file_close(&listed->file);
    *listed = (struct listed_file){.tensor = NULL};
}
