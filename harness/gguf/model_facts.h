/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

#include "harness/gguf/gguf.h"

/** What the metadata of a model say of its architecture; 0 where they say nothing. */
struct model_facts {
    struct gguf_text name, architecture; /* general.name and general.architecture; length 0: not stated */
    uint64_t layers, embedding, heads, context;
    uint64_t kv_heads;                 /* of a layer; of layers that differ the most that one has */
    uint64_t key_length, value_length; /* of one head */
    uint64_t experts, experts_used;    /* of a layer, and those that one token goes through */
    uint64_t window;                   /* positions that a layer with a sliding window attends to */
    double kv_values;                  /* numbers that all layers keep of one position; 0 where not known */
    double kv_keys;                    /* those of them that are keys; with latent attention all */
};

/** From the metadata, <architecture>.block_count and so on. */
void model_facts_read(const struct gguf *gguf, struct model_facts *facts);

/** Bytes of a number in caches of 16 bits, which is what engines have unless told otherwise. */
enum { MODEL_CACHE_BYTES = 2 };

/**
 * Bytes of the keys and values that one token reads at a context of this many positions. With a sliding window every layer is taken to have
 * it, so that it is the least that is read. 0 where the metadata do not say.
 * @param key, value  bytes of a number of each, MODEL_CACHE_BYTES
 */
double model_kv_bytes(const struct model_facts *facts, uint64_t positions, double key, double value);
