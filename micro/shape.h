/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SHAPE_H
#define MICRO_SHAPE_H

#include <stddef.h>
#include <stdint.h>

/** GEMV shapes of real models, from micro/shapes/<model>.tsv (embedded into the binary). */
struct shape {
    char model[32]; /* "llama3-8b"; empty for a shape the user gave */
    char roles[32]; /* "q,o" */
    size_t m, k;    /* W is M x K */
    unsigned count; /* such matrices read for one token */
};

enum { SHAPES_MAX = 256 };

/** All shapes, model by model in name order. @return how many were written to shapes (at most capacity) */
size_t shapes_all(struct shape *shapes, size_t capacity);

/**
 * Parse "MxK" (decimal, each 1 … 2^31-1).
 * @return 0 or -EINVAL
 */
int shape_parse(const char *text, size_t *m, size_t *k);

#endif
