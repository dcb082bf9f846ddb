/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/decode/decode_weights.h"
#include "harness/gguf/model_facts.h"
#include "harness/gguf/model_file.h"

/**
 * The matrices of a model file as a decode pass takes them: layers of q, k, v, output, gate, up and down, and a head, of any types.
 * Those of a type that a format of ours is, byte for byte, have a kernel of that format; of all others the bytes are read
 * (harness/decode/decode_read.h). The mapped file is what the pointers lead to.
 *
 * Rotary embedding turns whole heads at base 10000, and biases are left out: neither changes which weights are read.
 */
struct given_model {
    struct model model;
    struct decode_given given; /* without kernels until they are chosen, and without matrices if the file has no data */
    struct decode_given prompts; /* the same with kernels of prompts */
    const uint8_t **packed;      /* what both point to */
    float *scale;
    const struct kernel **kernel, **gemm; /* of a token, and of prompts */
    const struct gguf_type **type;        /* of each matrix, and the format that it is; NULL: none of ours */
    const struct format **format;
    struct decode_read *read; /* of the types that are only read */
    size_t reads;
};

/**
 * @param label  what the model is called in names of cells
 * @return 0; -ENOMEM; -ENOTSUP where the layers are others, or the size of a tensor's rows is not known, with one line in why that names it
 */
int given_model_open(const struct model_file *file, const struct model_facts *facts, const char *label,
                     struct given_model *given, char *why, size_t size);
void given_model_close(struct given_model *given);

/** "attn_q": a role in the names of tensors. */
const char *given_model_role(int role);

/** What is chosen of a format; NULL: no kernel. */
typedef const struct kernel *given_model_chooses(const void *context, const struct format *format);

/**
 * Give every matrix its kernel of a token: what choose says of its format, and where that is NULL, or there is no format, reading.
 * @return 0 or -ENOMEM
 */
int given_model_choose(struct given_model *given, given_model_chooses *choose, const void *context);

/** Whether every matrix has a format: a matrix that is only read has no prompts. @return 0; -ENOTSUP with one line in why that names one */
int given_model_multiplies(const struct given_model *given, char *why, size_t size);

/** The same of prompts, for which every matrix needs a kernel. @return 0; -ENOTSUP with one line in why that names what has none */
int given_model_choose_prompts(struct given_model *given, given_model_chooses *choose, const void *context, char *why,
                               size_t size);
