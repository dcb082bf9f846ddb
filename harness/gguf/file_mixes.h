/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "harness/decode/decode.h"

/**
 * What GGUF files are called, and which types their tensors have then: llama.cpp's recipes, most of which store some tensors in more
 * bits than the others. Those of dense models, and as they are without a matrix of importance. Each type that a format here is
 * (gguf_types.def) is one as well, of layers that have it alone.
 */
struct file_mix {
    const char *name; /* "q4_k_m" */
    const char *
        types; /* of the layers' matrices, as formats here: "q4_k and q6_k"; NULL: most of its types are no format here, and
                          no recipe for them is */
    bool is_format;     /* the name is a format's, too, as q2_k and q6_k */
    uint32_t file_type; /* general.file_type of such files; 0: none is written */
};

/** By its name in upper or lower case. NULL: it is none. */
const struct file_mix *file_mix_find(const char *name);

/** All recipes and then all types, each name once, the last followed by NULL. */
const struct file_mix *file_mix_at(size_t index);

/**
 * The name of the type (gguf_types.def) that a matrix of a file of that kind has: "Q6_K". Rows that are not whole blocks of the recipe's
 * type have the one that llama.cpp falls back to.
 * @param mix    one with types
 * @param layer  0 … layers - 1
 * @param role   DECODE_ROLES: the output head, whose layer is not read
 */
const char *file_mix_type(const struct file_mix *mix, const struct model *model, size_t layer, int role);

/** That of embeddings that are not the head, too. */
const char *file_mix_embedding_type(const struct file_mix *mix, const struct model *model);
