/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/given_model.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/tensor_rows.h"
#include "results/text/refuse.h"

enum { LAYERS_MOST = 1000, SIDE_MOST = 1 << 24, HEAD_SIZE_MOST = 1024 };

static const struct model_tensor *find(const struct model_file *file, const char *name)
{
    for (size_t i = 0; i < file->tensor_count; i++) {
        if (gguf_text_is(file->tensors[i].tensor->name, name))
            return &file->tensors[i];
    }
    return NULL;
}

const char *given_model_role(int role)
{
    static const char *const roles[DECODE_ROLES] = {"attn_q",   "attn_k", "attn_v",  "attn_output",
                                                    "ffn_gate", "ffn_up", "ffn_down"};
    return roles[role];
}

static const struct model_tensor *matrix_of(const struct model_file *file, size_t layer, int role, char *name,
                                            size_t size)
{
    snprintf(name, size, "blk.%zu.%s.weight", layer, given_model_role(role));
    return find(file, name);
}

/** The head, or the embeddings where they are it. */
static const struct model_tensor *head_of(const struct model_file *file, const char **name)
{
    *name = "output.weight";
    const struct model_tensor *head = find(file, *name);
    if (head)
        return head;
    *name = "token_embd.weight";
    return find(file, *name);
}

/* ---- the facts ---- */

static void set_label(struct model *model, const char *label)
{
    size_t length = 0;
    for (; label[length] && length + 1 < sizeof model->name; length++) {
        char c = label[length];
        model->name[length] = isalnum((unsigned char)c) || c == '.' || c == '_' ? c : '-';
    }
    model->name[length] = 0;
}

static bool is_in(uint64_t number, uint64_t most)
{
    return number >= 1 && number <= most;
}

static int read_facts(const struct model_file *file, const struct model_facts *facts, struct model *model, char *why,
                      size_t size)
{
    char name[64];
    const char *head_name;
    const struct model_tensor *gate = matrix_of(file, 0, DECODE_GATE, name, sizeof name),
                              *head = head_of(file, &head_name);
    if (facts->experts)
        return refuse(-ENOTSUP, why, size, "only dense layers can run, and these have experts");
    if (!is_in(facts->layers, LAYERS_MOST) || !is_in(facts->embedding, SIDE_MOST) || !is_in(facts->heads, 4096) ||
        !is_in(facts->kv_heads, facts->heads) || facts->heads % facts->kv_heads)
        return refuse(-ENOTSUP, why, size, "its metadata do not state layers, embedding and heads of a decoder");
    if (!is_in(facts->key_length, HEAD_SIZE_MOST) || facts->key_length % 2 || facts->value_length != facts->key_length)
        return refuse(-ENOTSUP, why, size, "heads of %" PRIu64 " numbers and values of %" PRIu64 " are not taken",
                      facts->key_length, facts->value_length);
    if (!gate || !is_in(gate->tensor->size[1], SIDE_MOST))
        return refuse(-ENOTSUP, why, size,
                      "a layer needs attn_q, attn_k, attn_v, attn_output, ffn_gate, ffn_up and ffn_down, and there is "
                      "no %s",
                      name);
    if (!head || !is_in(head->tensor->size[1], SIDE_MOST))
        return refuse(-ENOTSUP, why, size, "there is neither output.weight nor token_embd.weight");
    bool relu2 = facts->architecture.length > 6 && memcmp(facts->architecture.at, "bitnet", 6) == 0;
    model->layers = (size_t)facts->layers;
    model->hidden = (size_t)facts->embedding;
    model->ffn = (size_t)gate->tensor->size[1];
    model->heads = (size_t)facts->heads;
    model->kv_heads = (size_t)facts->kv_heads;
    model->head_size = model->rope_values = (size_t)facts->key_length;
    model->vocabulary = (size_t)head->tensor->size[1];
    model->activation = relu2 ? LAYER_RELU2 : LAYER_SILU;
    model->rope_base = 10000;
    model->sub_norms = find(file, "blk.0.attn_sub_norm.weight") != NULL;
    return 0;
}

/* ---- the matrices ---- */

/** A matrix of m rows and k columns that lies in the file as kernels read it, or whose rows are whole blocks of its type. */
static int place(struct given_model *given, size_t at, const struct model_tensor *tensor, const char *name, size_t m,
                 size_t k, char *why, size_t size)
{
    if (!tensor)
        return refuse(-ENOTSUP, why, size, "there is no %s", name);
    const struct gguf_tensor *table = tensor->tensor;
    const struct format *own = tensor_format(table);
    if (table->size[1] != m || table->size[0] != k || table->size[2] * table->size[3] != 1)
        return refuse(-ENOTSUP, why, size,
                      "%s has %" PRIu64 " rows of %" PRIu64 " columns, and the metadata want %zu of %zu", name,
                      table->size[1], table->size[0], m, k);
    if (!table->type || !table->type->block_columns || k % table->type->block_columns)
        return refuse(-ENOTSUP, why, size, "%s is of type %s, whose row size is unknown", name,
                      table->type ? table->type->name : "unknown");
    given->format[at] = own && format_columns(own, k) == k ? own : NULL;
    given->type[at] = table->type;
    given->packed[at] = tensor->data;
    given->scale[at] = given->format[at] ? (float)tensor_scale(tensor) : 1;
    return 0;
}

static int place_all(struct given_model *given, const struct model_file *file, char *why, size_t size)
{
    const struct model *model = &given->model;
    char name[64];
    for (size_t i = 0; i < model->layers * DECODE_ROLES; i++) {
        size_t m, k;
        decode_shape(model, (int)(i % DECODE_ROLES), &m, &k);
        const struct model_tensor *tensor =
            matrix_of(file, i / DECODE_ROLES, (int)(i % DECODE_ROLES), name, sizeof name);
        int error = place(given, i, tensor, name, m, k, why, size);
        if (error)
            return error;
    }
    const char *head_name;
    const struct model_tensor *head = head_of(file, &head_name);
    return place(given, model->layers * DECODE_ROLES, head, head_name, model->vocabulary, model->hidden, why, size);
}

int given_model_open(const struct model_file *file, const struct model_facts *facts, const char *label,
                     struct given_model *given, char *why, size_t size)
{
    *given = (struct given_model){.packed = NULL};
    int error = read_facts(file, facts, &given->model, why, size);
    if (error)
        return error;
    set_label(&given->model, label);
    size_t count = given->model.layers * DECODE_ROLES + 1;
    given->packed = calloc(count, sizeof *given->packed);
    given->scale = calloc(count, sizeof *given->scale);
    given->kernel = calloc(count, sizeof *given->kernel);
    given->gemm = calloc(count, sizeof *given->gemm);
    given->format = calloc(count, sizeof *given->format);
    given->type = calloc(count, sizeof *given->type);
    bool room = given->packed && given->scale && given->kernel && given->gemm && given->format && given->type;
    error = room ? place_all(given, file, why, size) : refuse(-ENOMEM, why, size, "no memory");
    if (!error && given->packed[0])
        given->given = given->prompts = (struct decode_given){.packed = given->packed, .scale = given->scale};
    if (error)
        given_model_close(given);
    return error;
}

void given_model_close(struct given_model *given)
{
    free(given->packed);
    free(given->scale);
    free(given->kernel);
    free(given->gemm);
    free(given->format);
    free(given->type);
    free(given->read);
    *given = (struct given_model){.packed = NULL};
}

/* ---- kernels ---- */

int given_model_multiplies(const struct given_model *given, char *why, size_t size)
{
    size_t head = given->model.layers * DECODE_ROLES;
    for (size_t i = 0; i <= head; i++) {
        if (!given->format[i])
            return refuse(-ENOTSUP, why, size, "%s is of type %s, and no kernel takes such rows as they are",
                          i == head ? "the head" : decode_role_name((int)(i % DECODE_ROLES)), given->type[i]->name);
    }
    return 0;
}

int given_model_choose_prompts(struct given_model *given, given_model_chooses *choose, const void *context, char *why,
                               size_t size)
{
    int error = given_model_multiplies(given, why, size);
    for (size_t i = 0; !error && i <= given->model.layers * DECODE_ROLES; i++) {
        given->gemm[i] = choose(context, given->format[i]);
        if (!given->gemm[i])
            error = refuse(-ENOTSUP, why, size, "no GEMM kernel of %s runs on this CPU", given->format[i]->name);
    }
    given->prompts.kernel = error ? NULL : given->gemm;
    return error;
}

/** That stands for reading a type; those of *read have room for all types that the file has. */
static const struct kernel *read_of(struct given_model *given, const struct gguf_type *type)
{
    for (size_t i = 0; i < given->reads; i++) {
        if (given->read[i].format.name == type->name)
            return &given->read[i].kernel;
    }
    struct decode_read *read = &given->read[given->reads++];
    decode_read_describe(read, type->name, type->block_columns, type->block_bytes);
    return &read->kernel;
}

static size_t count_types(const struct given_model *given, size_t matrices)
{
    size_t types = 0;
    for (size_t i = 0; i < matrices; i++) {
        size_t before = 0;
        while (before < i && given->type[before] != given->type[i])
            before++;
        types += before == i;
    }
    return types;
}

int given_model_choose(struct given_model *given, given_model_chooses *choose, const void *context)
{
    size_t count = given->model.layers * DECODE_ROLES + 1;
    free(given->read);
    given->reads = 0;
    given->read = calloc(count_types(given, count), sizeof *given->read);
    if (!given->read)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct kernel *kernel = given->format[i] ? choose(context, given->format[i]) : NULL;
        given->kernel[i] = kernel ? kernel : read_of(given, given->type[i]);
    }
    given->given.kernel = given->kernel;
    return 0;
}
