/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/gguf/gguf.h"

/**
 * The GGUF files of a model, mapped and parsed. A file NAME-00001-of-00003.gguf is one of three shards, all of which are
 * opened, whichever was named; any other file is the whole model.
 */
struct model_shard {
    char *path;
    const uint8_t *bytes; /* mapped for reading */
    size_t length;
    struct gguf gguf;
};

/** A tensor and where its data are. */
struct model_tensor {
    const struct gguf_tensor *tensor;
    const uint8_t *data; /* tensor->bytes of them */
};

struct model_file {
    struct model_shard *shards; /* in their order; the metadata of the model are the first one's */
    size_t shard_count;
    struct model_tensor *tensors; /* of all shards, in the order of the files; no two have the same name */
    size_t tensor_count;
    uint64_t bytes; /* of all files */
};

/**
 * Open a model. -EINVAL: a file is broken, or shards do not belong together; else the error of the system. One line in why
 * names the file. On an error there is nothing to close.
 */
int model_file_open(const char *path, struct model_file *file, char *why, size_t size);
void model_file_close(struct model_file *file);
