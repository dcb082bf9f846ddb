/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SHAPE_H
#define MICRO_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** GEMV shapes of real models, from micro/shapes/<model>.tsv (embedded into the binary). */
struct shape {
    char model[32];  /* "llama3-8b"; empty for a shape the user gave */
    char roles[32];  /* "q,o" */
    char papers[96]; /* short names of the papers that time the model, blanks between: the file's line "# papers: …" */
    size_t m, k;     /* W is M x K */
    unsigned count;  /* such matrices read for one token */
};

enum { SHAPES_MAX = 256 };

/** All shapes, model by model in name order. @return how many were written to shapes (at most capacity) */
size_t shapes_all(struct shape *shapes, size_t capacity);

/** Whether a paper, by its short name, times the model of this shape. */
bool shape_is_of_paper(const struct shape *shape, const char *paper);

/** The output head, which a token reads once, behind the layers. */
bool shape_is_head(const struct shape *shape);

/**
 * Parse "MxK" (decimal, each 1 … 2^31-1).
 * @return 0 or -EINVAL
 */
int shape_parse(const char *text, size_t *m, size_t *k);

#endif
