/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/model_facts.h"

#include <stdio.h>

/** The value of <architecture>.<key>; NULL without. */
static const struct gguf_value *value_of(const struct gguf *gguf, struct gguf_text architecture, const char *key)
{
    char full[256];
    int length = snprintf(full, sizeof full, "%.*s.%s", (int)(architecture.length < 128 ? architecture.length : 128),
                          architecture.at, key);
    return length > 0 && (size_t)length < sizeof full ? gguf_find(gguf, full) : NULL;
}

static uint64_t number_of(const struct gguf *gguf, struct gguf_text architecture, const char *key, uint64_t absent)
{
    uint64_t number;
    return gguf_integer(value_of(gguf, architecture, key), 0, &number) ? number : absent;
}

/**
 * Key-value heads of all layers: one number for each, or one for every layer. The most of one goes to facts.
 */
static double kv_heads(const struct gguf *gguf, struct model_facts *facts)
{
    const struct gguf_value *value = value_of(gguf, facts->architecture, "attention.head_count_kv");
    uint64_t number;
    double sum = 0;
    facts->kv_heads = facts->heads;
    if (!gguf_integer(value, 0, &number))
        return (double)facts->heads * (double)facts->layers;
    facts->kv_heads = number;
    if (!value->is_array)
        return (double)number * (double)facts->layers;
    for (uint64_t i = 0; i < value->count && i < facts->layers && gguf_integer(value, i, &number); i++) {
        sum += (double)number;
        facts->kv_heads = number > facts->kv_heads ? number : facts->kv_heads;
    }
    return sum;
}

/** Models with latent attention keep one compressed vector of each position and layer, and its rotary part. */
static void read_kv(const struct gguf *gguf, struct model_facts *facts)
{
    struct gguf_text architecture = facts->architecture;
    uint64_t head = facts->heads ? facts->embedding / facts->heads : 0;
    uint64_t latent = number_of(gguf, architecture, "attention.kv_lora_rank", 0);
    double heads = kv_heads(gguf, facts);
    facts->key_length = number_of(gguf, architecture, "attention.key_length", head);
    facts->value_length = number_of(gguf, architecture, "attention.value_length", facts->key_length);
    facts->kv_keys = heads * (double)facts->key_length;
    facts->kv_values = facts->kv_keys + heads * (double)facts->value_length;
    if (latent)
        facts->kv_keys = facts->kv_values =
            (double)facts->layers * ((double)latent + (double)number_of(gguf, architecture, "rope.dimension_count", 0));
}

void model_facts_read(const struct gguf *gguf, struct model_facts *facts)
{
    struct gguf_text architecture = gguf_string(gguf_find(gguf, "general.architecture"));
    *facts = (struct model_facts){.name = gguf_string(gguf_find(gguf, "general.name")), .architecture = architecture};
    facts->layers = number_of(gguf, architecture, "block_count", 0);
    facts->embedding = number_of(gguf, architecture, "embedding_length", 0);
    facts->heads = number_of(gguf, architecture, "attention.head_count", 0);
    facts->context = number_of(gguf, architecture, "context_length", 0);
    facts->experts = number_of(gguf, architecture, "expert_count", 0);
    facts->experts_used = number_of(gguf, architecture, "expert_used_count", 0);
    facts->window = number_of(gguf, architecture, "attention.sliding_window", 0);
    read_kv(gguf, facts);
}

double model_kv_bytes(const struct model_facts *facts, uint64_t positions, double key, double value)
{
    if (facts->window && facts->window < positions)
        positions = facts->window;
    return (key * facts->kv_keys + value * (facts->kv_values - facts->kv_keys)) * (double)positions;
}
