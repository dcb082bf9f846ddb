/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/made/drawn_blocks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gguf/synthetic.h"
#include "micro/isa/random.h"
#include "micro/kernel.h"
#include "results/text/refuse.h"

enum { UNITS = 2048, UNIT_COLUMNS = 256 }; /* a multiple of every type's block */

/** Integers are stored as they are, to be multiplied with a scale; of all others the deviation is in the weights. */
static void scale_weights(const struct format *format, struct drawn_blocks *blocks, float *weights)
{
    double squares = 0;
    for (size_t i = 0; i < UNITS * UNIT_COLUMNS; i++) {
        if (!format_is_integer(format)) {
            weights[i] *= (float)blocks->deviation;
            continue;
        }
        weights[i] = fminf(fmaxf(roundf(weights[i]), (float)format->weight_min), (float)format->weight_max);
        squares += (double)weights[i] * (double)weights[i];
    }
    if (squares > 0)
        blocks->scale = (float)(blocks->deviation / sqrt(squares / (UNITS * UNIT_COLUMNS)));
}

int drawn_blocks_open(const struct gguf_type *type, double deviation, struct drawn_blocks *blocks, char *why,
                      size_t size)
{
    const struct format *format = type->format ? format_find(type->format) : NULL;
    *blocks = (struct drawn_blocks){.type = type, .deviation = deviation, .scale = 1};
    if (!format)
        return refuse(-ENOTSUP, why, size, "no format here is %s, so none of its weights can be drawn", type->name);
    blocks->count = UNITS;
    blocks->unit_bytes = UNIT_COLUMNS / type->block_columns * type->block_bytes;
    blocks->units = malloc(UNITS * blocks->unit_bytes);
    float *weights = malloc(UNITS * UNIT_COLUMNS * sizeof *weights);
    int error = blocks->units && weights ? 0 : -ENOMEM;
    if (!error) {
        synthetic_weights(SYNTHETIC_GAUSSIAN, UNITS, UNIT_COLUMNS, 1, weights);
        scale_weights(format, blocks, weights);
        error = format_pack(format, weights, UNITS, UNIT_COLUMNS, blocks->units);
    }
    free(weights);
    if (!error)
        return 0;
    drawn_blocks_close(blocks);
    return refuse(error, why, size, "no memory");
}

void drawn_blocks_close(struct drawn_blocks *blocks)
{
    free(blocks->units);
    *blocks = (struct drawn_blocks){.units = NULL};
}

void drawn_blocks_fill(const struct drawn_blocks *blocks, uint8_t *bytes, size_t length, uint64_t *random)
{
    while (length) {
        size_t unit = (size_t)((random_bits(random) >> 32) * blocks->count >> 32);
        size_t next = length < blocks->unit_bytes ? length : blocks->unit_bytes;
        memcpy(bytes, blocks->units + unit * blocks->unit_bytes, next);
        bytes += next;
        length -= next;
    }
}
