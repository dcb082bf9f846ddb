/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/gguf/model_facts.h"
#include "harness/gguf/model_file.h"
#include "micro/kernel.h"

/**
 * Which tensors a model has, and how much of each one token needs. Pure, from the table of tensors.
 */

enum census_use {
    CENSUS_MULTIPLIED, /* matrices: M rows of K columns times the activations */
    CENSUS_EXPERTS,    /* the same, and of several matrices in each tensor a token multiplies some */
    CENSUS_HEAD,       /* the output head; its matrix may be that of the embeddings */
    CENSUS_LOOKED_UP,  /* embeddings: one row a token */
    CENSUS_VECTORS,    /* norms, biases: read as they are */
};

/** What a token multiplies with matrices: q, k and v of a layer read the same vector, and so do gate and up. */
struct census_vector {
    uint64_t id;  /* equal where two matrices read the same */
    bool shared;  /* else it has no other reader */
    double count; /* of them: of down matrices of experts, each has its own */
};

/** Tensors of the same use, type and shape. */
struct census_group {
    enum census_use use;
    char roles[112]; /* "attn_q, attn_output": names without the number of the layer and ".weight" */
    uint32_t type_id;
    const struct gguf_type *type; /* NULL: not known */
    uint64_t m, k;                /* of one matrix */
    uint64_t tensors;
    double matrices; /* in them: tensors times size[2] size[3] */
    double bytes;    /* of all of them; 0 of a head that shares the embeddings' matrix, whose bytes are counted there */
    double calls;    /* matrices that one token multiplies, or rows that it looks up */
    double token_bytes;            /* that it reads for this */
    struct census_vector *vectors; /* [tensors], of matrices that are multiplied; else NULL */
    size_t vector_count;
};

/** All tensors of a type. */
struct census_type {
    uint32_t type_id;
    const struct gguf_type *type;
    uint64_t tensors;
    double weights, bytes;
};

struct census {
    struct census_group *groups; /* in the order of the file, matrices first */
    size_t group_count;
    struct census_type *types; /* in the order of the file */
    size_t type_count;
    double weights, bytes; /* of all tensors */
    double token_bytes;    /* of the weights that one token reads */
    size_t vectors;        /* that are multiplied, those that matrices share counted again */
    bool tied;             /* the embeddings are the output head, too */
};

/** @return 0 or -ENOMEM */
int census_take(const struct model_file *file, const struct model_facts *facts, struct census *census);
void census_free(struct census *census);

/**
 * The format whose kernels read the matrices of a group as they lie in the file; NULL if no format does, with the reason in
 * why: a type that none of ours is, or a shape that the format does not take.
 */
const struct format *census_format(const struct census_group *group, char *why, size_t size);

/** "multiplied", "experts", "head", "looked up", "vectors". */
const char *census_use_name(enum census_use use);

/** The name of a type, "type 77" of one that is not known. */
const char *census_type_name(uint32_t id, const struct gguf_type *type, char *text, size_t size);
