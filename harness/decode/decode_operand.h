/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/quantizer.h"

/**
 * A vector that several matrices read: its floats, quantized once for those whose kernels take int8, and the operand that
 * each different kernel makes of it, once as well.
 *
 * An operand that is a row of steps can be made in stretches of steps by all members. That each step is made by itself is
 * tried when the vector is opened, by making one both ways and comparing all bytes; where they differ, the first member makes
 * the whole.
 */
enum { DECODE_OPERANDS_MOST = 8 };

struct decode_operand {
    const struct kernel *kernel;
    size_t columns;    /* k, padded as the kernel's format wants */
    uint16_t *order;   /* of column groups, of all matrices that read it (column_order.h); NULL: the format has none */
    uint8_t *ordered;  /* then room for the vector in it */
    uint8_t *prepared; /* NULL: the kernel has no prepare(), and its operand is the ordered vector */
    size_t granule;    /* steps that stretches are multiples of; 0: made as a whole */
};

struct decode_vector {
    size_t k;
    float *x;                   /* [k], zero after it */
    bool int8;                  /* a kernel takes it so */
    int8_t *q;                  /* [k], zero after it */
    struct quantized quantized; /* scale and sum of q */
    struct decode_operand operand[DECODE_OPERANDS_MOST];
    size_t operands, columns;
};

/** Add a kernel that reads it, before it is opened. @return 0; -EINVAL another k; -ENOMEM too many kernels */
int decode_vector_add(struct decode_vector *vector, const struct kernel *kernel, size_t k);

/** 0 or -ENOMEM. */
int decode_vector_open(struct decode_vector *vector);
void decode_vector_release(struct decode_vector *vector);

/** What a kernel takes of it, in its matrices' order, and the operand of a kernel; NULL for one without prepare(). */
void *decode_vector_taken(const struct decode_vector *vector, const struct kernel *kernel);
uint8_t *decode_vector_prepared(const struct decode_vector *vector, const struct kernel *kernel);

void decode_vector_quantize(struct decode_vector *vector, const struct quantizer *quantizer);

/** The operands that one member makes; whether there are others, and a member's share of those. */
void decode_vector_prepare_alone(struct decode_vector *vector);
bool decode_vector_is_shared(const struct decode_vector *vector);
void decode_vector_prepare_share(struct decode_vector *vector, unsigned member, unsigned threads);

/** Zeroed cache lines for this many bytes, and at least a line after them. NULL without memory; freed by free(). */
static inline void *zeroed_lines(size_t bytes)
{
    enum { LINE = 64 };
    size_t rounded = (bytes + 2 * LINE - 1) / LINE * LINE;
    void *memory = aligned_alloc(LINE, rounded);
    if (memory)
        memset(memory, 0, rounded);
    return memory;
}
