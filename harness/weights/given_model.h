/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_WEIGHTS_GIVEN_MODEL_H
#define HARNESS_WEIGHTS_GIVEN_MODEL_H

#include "harness/decode/decode_weights.h"
#include "harness/weights/model_facts.h"
#include "harness/weights/model_file.h"

/**
 * The matrices of a model file as a decode pass takes them: layers of q, k, v, output, gate, up and down, all of one type that
 * a format of ours is, byte for byte, and a head of such a type. The mapped file is what the pointers lead to.
 *
 * Rotary embedding turns whole heads at base 10000, and biases are left out: neither changes which weights are read.
 */
struct given_model {
    struct model model;
    const struct format *format, *head_format;
    struct decode_given given;
    const uint8_t **packed; /* what given points to */
    float *scale;
};

/**
 * @param label  what the model is called in names of cells
 * @return 0; -ENOMEM; -ENOTSUP where the layers are others or a tensor has no such type, with one line in why that names it
 */
int given_model_open(const struct model_file *file, const struct model_facts *facts, const char *label,
                     struct given_model *given, char *why, size_t size);
void given_model_close(struct given_model *given);

#endif
