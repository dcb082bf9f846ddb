/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/census.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a tensor is for ---- */

/** Its name without the number of the layer, what stands before it, and the kind: "blk.3.attn_q.weight" is "attn_q". */
static void role_of(struct gguf_text name, char *role, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < name.length && length + 1 < size; i++) {
        size_t digits = i + 1;
        while (name.at[i] == '.' && digits < name.length && isdigit((unsigned char)name.at[digits]))
            digits++;
        if (name.at[i] == '.' && digits > i + 1 && digits < name.length && name.at[digits] == '.') {
            bool is_layer = length == 3 && memcmp(role, "blk", 3) == 0;
            length = is_layer ? 0 : length;
            i = is_layer ? digits : digits - 1;
            continue;
        }
        role[length++] = name.at[i];
    }
    role[length] = 0;
    size_t weight = strlen(".weight");
    if (length > weight && strcmp(role + length - weight, ".weight") == 0)
        role[length - weight] = 0;
    if (!*role) /* a name that begins with a zero */
        snprintf(role, size, "-");
}

static bool is_one_of(const char *role, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(role, names[i]) == 0)
            return true;
    }
    return false;
}

static enum census_use use_of(const char *role, const struct gguf_tensor *tensor)
{
    static const char *const embeddings[] = {"token_embd", "position_embd", "token_types", "per_layer_token_embd"};
    if (is_one_of(role, embeddings, sizeof embeddings / sizeof *embeddings))
        return CENSUS_LOOKED_UP;
    size_t length = strlen(role);
    bool is_bias = length > 5 && strcmp(role + length - 5, ".bias") == 0;
    if (is_bias || tensor->size[1] * tensor->size[2] * tensor->size[3] == 1)
        return CENSUS_VECTORS;
    if (strcmp(role, "output") == 0)
        return CENSUS_HEAD;
    return strstr(role, "_exps") && tensor->size[2] > 1 ? CENSUS_EXPERTS : CENSUS_MULTIPLIED;
}

/* ---- groups ---- */

static struct census_group *group_for(struct census *census, enum census_use use, const struct gguf_tensor *tensor)
{
    uint64_t m = use == CENSUS_VECTORS ? 0 : tensor->size[1], k = use == CENSUS_VECTORS ? 0 : tensor->size[0];
    for (size_t i = 0; i < census->group_count; i++) {
        struct census_group *group = &census->groups[i];
        if (group->use == use && group->type_id == tensor->type_id && group->m == m && group->k == k)
            return group;
    }
    struct census_group *group = &census->groups[census->group_count++];
    *group = (struct census_group){.use = use, .type_id = tensor->type_id, .type = tensor->type, .m = m, .k = k};
    return group;
}

/** Each role once; what does not fit is "…". */
static void add_role(struct census_group *group, const char *role)
{
    size_t used = strlen(group->roles), length = strlen(role);
    for (const char *at = group->roles; (at = strstr(at, role)); at++) {
        bool begins = at == group->roles || at[-1] == ' ', ends = at[length] == 0 || at[length] == ',';
        if (begins && ends)
            return;
    }
    if (used + length + 8 < sizeof group->roles)
        snprintf(group->roles + used, sizeof group->roles - used, "%s%s", used ? ", " : "", role);
    else if (used < 3 || strcmp(group->roles + used - 3, "...") != 0)
        snprintf(group->roles + used, sizeof group->roles - used, ", ...");
}

/** How much of a tensor one token needs. */
static double share_of(const struct census_group *group, const struct gguf_tensor *tensor,
                       const struct model_facts *facts)
{
    double rows = (double)tensor->size[1] * (double)tensor->size[2] * (double)tensor->size[3];
    if (group->use == CENSUS_LOOKED_UP)
        return 1 / rows;
    if (group->use == CENSUS_EXPERTS && facts->experts_used && facts->experts_used < tensor->size[2])
        return (double)facts->experts_used / (double)tensor->size[2];
    return 1;
}

/** Of which vector of its layer a matrix is a reader, by its role; every other reads one of its own, or each of its matrices does. */
static struct census_vector vector_of(struct gguf_text name, const char *role, double matrices)
{
    static const char *const readers[][8] = {
        {"attn_q", "attn_k", "attn_v", "attn_qkv", "attn_q_a", "attn_kv_a_mqa"},
        {"ffn_gate", "ffn_up", "ffn_gate_exps", "ffn_up_exps", "ffn_gate_up_exps", "ffn_gate_inp", "ffn_gate_shexp",
         "ffn_up_shexp"},
    };
    enum { READERS = sizeof readers / sizeof *readers };
    char text[32];
    unsigned layer;
    snprintf(text, sizeof text, "%.*s", (int)(name.length < sizeof text ? name.length : sizeof text - 1), name.at);
    for (uint64_t i = 0; sscanf(text, "blk.%9u.", &layer) == 1 && i < READERS; i++) {
        for (size_t r = 0; r < sizeof readers[i] / sizeof *readers[i] && readers[i][r]; r++) {
            if (strcmp(role, readers[i][r]) == 0)
                return (struct census_vector){(uint64_t)layer * READERS + i, true, 1};
        }
    }
    return (struct census_vector){0, false, matrices};
}

static int add_vector(struct census_group *group, struct census_vector vector)
{
    struct census_vector *grown = realloc(group->vectors, (group->vector_count + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    group->vectors = grown;
    group->vectors[group->vector_count++] = vector;
    return 0;
}

static int add_tensor(struct census *census, enum census_use use, const char *role, const struct gguf_tensor *tensor,
                      const struct model_facts *facts, bool is_counted)
{
    struct census_group *group = group_for(census, use, tensor);
    double matrices = (double)tensor->size[2] * (double)tensor->size[3], share = share_of(group, tensor, facts);
    add_role(group, role);
    group->tensors++;
    group->matrices += matrices;
    group->bytes += is_counted ? (double)tensor->bytes : 0;
    group->calls += use == CENSUS_LOOKED_UP ? 1 : matrices * share;
    group->token_bytes += (double)tensor->bytes * share;
    census->token_bytes += (double)tensor->bytes * share;
    if (use > CENSUS_HEAD)
        return 0;
    census->vectors++;
    return add_vector(group, vector_of(tensor->name, role, matrices * share));
}

static void add_type(struct census *census, const struct gguf_tensor *tensor)
{
    size_t i = 0;
    while (i < census->type_count && census->types[i].type_id != tensor->type_id)
        i++;
    if (i == census->type_count)
        census->types[census->type_count++] = (struct census_type){.type_id = tensor->type_id, .type = tensor->type};
    double weights =
        (double)tensor->size[0] * (double)tensor->size[1] * (double)tensor->size[2] * (double)tensor->size[3];
    census->types[i].tensors++;
    census->types[i].weights += weights;
    census->types[i].bytes += (double)tensor->bytes;
    census->weights += weights;
    census->bytes += (double)tensor->bytes;
}

/** Where a group stands: matrices of the layers, the head, what is looked up, vectors. */
static int place_of(const struct census_group *group)
{
    return group->use == CENSUS_EXPERTS ? CENSUS_MULTIPLIED : (int)group->use;
}

/** By insertion: what has the same place stays as it was met, and there are few. */
static void put_matrices_first(struct census *census)
{
    for (size_t i = 1; i < census->group_count; i++) {
        struct census_group group = census->groups[i];
        size_t j = i;
        for (; j > 0 && place_of(&census->groups[j - 1]) > place_of(&group); j--)
            census->groups[j] = census->groups[j - 1];
        census->groups[j] = group;
    }
}

int census_take(const struct model_file *file, const struct model_facts *facts, struct census *census)
{
    const struct gguf_tensor *embeddings = NULL;
    bool has_head = false;
    *census = (struct census){.groups = calloc(file->tensor_count + 2, sizeof *census->groups),
                              .types = calloc(file->tensor_count + 1, sizeof *census->types)};
    if (!census->groups || !census->types) {
        census_free(census);
        return -ENOMEM;
    }
    int error = 0;
    for (size_t i = 0; !error && i < file->tensor_count; i++) {
        const struct gguf_tensor *tensor = file->tensors[i].tensor;
        char role[128];
        role_of(tensor->name, role, sizeof role);
        enum census_use use = use_of(role, tensor);
        add_type(census, tensor);
        error = add_tensor(census, use, role, tensor, facts, true);
        has_head |= strcmp(role, "output") == 0;
        if (strcmp(role, "token_embd") == 0)
            embeddings = tensor;
    }
    census->tied = embeddings && !has_head;
    if (!error && census->tied)
        error = add_tensor(census, CENSUS_HEAD, "token_embd", embeddings, facts, false);
    put_matrices_first(census);
    if (error)
        census_free(census);
    return error;
}

void census_free(struct census *census)
{
    for (size_t i = 0; i < census->group_count; i++)
        free(census->groups[i].vectors);
    free(census->groups);
    free(census->types);
    *census = (struct census){0};
}
