/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_MODEL_H
#define MICRO_LAYERS_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "micro/layers/layer.h"

/**
 * A decoder model as its layers are computed, from the first lines of micro/shapes/<model>.tsv (embedded into the
 * binary): the configuration of the first line, the line that begins with "# Layers:", and the one with "# File:", which says what its
 * GGUF files have: architecture, embeddings that are the head ("tied"), biases of q, k and v ("biases").
 *
 *     x += W_o attention(rope(W_q norm(x)), rope(W_k norm(x)), W_v norm(x))
 *     x += W_down (activation(W_gate norm(x)) W_up norm(x))
 *
 * With sub_norms what W_o and W_down read is normed too, as in BitNet.
 */
struct model {
    char name[32];
    size_t layers, hidden, ffn, heads, kv_heads, head_size, vocabulary;
    enum layer_activation activation;
    double rope_base;
    size_t rope_values; /* of a head that are rotated: all of them, or the first this many */
    bool sub_norms;
    char architecture[16]; /* of its GGUF files; empty: q, k and v are one matrix there */
    bool tied, biases;
};

/**
 * Look a model up by name.
 * @return 0; -ENOENT there is none of that name; -ENOTSUP its layers are of another kind, which why says
 */
int model_find(const char *name, struct model *model, char *why, size_t size);

/** Text of such a file, for tests. @return 0, -EINVAL the first line states no configuration, -ENOTSUP */
int model_parse(const char *text, struct model *model, char *why, size_t size);

/** Of a query, key or value head, padded for its vectors. */
size_t model_head_padded(const struct model *model);

#endif
