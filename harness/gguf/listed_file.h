/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/gguf/file_mixes.h"
#include "harness/gguf/model_facts.h"
#include "harness/gguf/model_file.h"

/**
 * The tensors that a file of a listed model (micro/layers/model.h) would have if it were of some kind, without their data. What takes a model file
 * takes it, too.
 */
struct listed_file {
    struct model_file file; /* of no shards; its tensors have no data */
    struct model_facts facts;
    const struct file_mix *mix;
    struct model model;         /* whose name has the kind: "llama3-8b-q4_k_m" */
    struct gguf_tensor *tensor; /* that the file points to */
    char (*name)[48];
};

/**
 * @param mix  a kind with types
 * @return 0; -ENOMEM; -ENOTSUP for a model whose files have other matrices, or rows of no whole blocks of a type; with one line in why
 */
int listed_file_open(const struct model *model, const struct file_mix *mix, struct listed_file *listed, char *why,
                     size_t size);
void listed_file_close(struct listed_file *listed);
