/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "harness/gguf/gguf.h"

/**
 * Blocks of a type of GGUF files, quantized from drawn weights by the packer of its format. A tensor is made of such blocks, drawn from this
 * many: so a model takes as long as its bytes take to be written, and no two rows are alike.
 */
struct drawn_blocks {
    const struct gguf_type *type;
    double deviation; /* of a weight: its standard deviation */
    uint8_t *units;   /* whole blocks each */
    size_t unit_bytes, count;
    float scale; /* of a type whose tensors have one behind their blocks; else 1 */
};

/**
 * @return 0; -ENOMEM; -ENOTSUP no format here is the type, with one line in why
 */
int drawn_blocks_open(const struct gguf_type *type, double deviation, struct drawn_blocks *blocks, char *why,
                      size_t size);
void drawn_blocks_close(struct drawn_blocks *blocks);

/** The next bytes of a tensor's rows, whole blocks. @param random  the state; any is a seed */
void drawn_blocks_fill(const struct drawn_blocks *blocks, uint8_t *bytes, size_t length, uint64_t *random);
