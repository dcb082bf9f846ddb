/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SHAPE_H
#define MICRO_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHAPE_TIMED_BY = 256 };

/**
 * GEMV shapes of real models, from micro/shapes/<model>.tsv (embedded into the binary). A line is a shape of weights: roles (comma-separated,
 * no blanks), M, K, and how many such matrices one token reads. Lines that begin with '#' come first:
 *
 *     # GEMV shapes (M x K) of llama3-8b, from …: 32 layers, hidden 4096, ffn 14336, 32 heads, 8 key-value heads of 128, vocabulary 128256.
 *     # Timed by [envelope, Fig. 5-8] [apt-llm].
 *     # Layers: silu, rotary base 500000.
 *     # File: llama
 *     # roles	m	k	count
 *     q,o	4096	4096	64
 *
 * The first is the configuration, which a test computes the shapes from. The second says where papers time the model: characterize measures
 * such shapes with the formats of that paper's kernels, those of `envelope` with all teams, cold and warm, others cold with the widest
 * team, or with all teams where the place ends in "over threads". The third is what lies between the matrices, the fourth
 * what GGUF files of it have: micro/layers/model.h.
 */
struct shape {
    char model[32];                /* "llama3-8b"; empty for a shape the user gave */
    char roles[32];                /* "q,o" */
    size_t m, k;                   /* W is M x K */
    unsigned count;                /* such matrices read for one token */
    char timed_by[SHAPE_TIMED_BY]; /* where papers time the model: "[envelope, Fig. 5-8] [apt-llm]"; empty where none
                                      does */
};

enum { SHAPES_MAX = 256 };

/** All shapes, model by model in name order. @return how many were written to shapes (at most capacity) */
size_t shapes_all(struct shape *shapes, size_t capacity);

/** Shapes of the text of such a file, for tests. @return how many were written to shapes (at most capacity) */
size_t shapes_parse(const char *model, const char *text, struct shape *shapes, size_t capacity);

/** Those of one model; 0 where there is none of that name. */
size_t shapes_of(const char *model, struct shape *shapes, size_t capacity);

/** The output head, which reads the last hidden state once a token and is no part of the layers. */
bool shape_is_head(const struct shape *shape);

/**
 * Operands that the matrices of a shape are multiplied with for one token: q, k and v share one, and so do gate and up. Where k and v
 * or up stand on a line without q or gate, the line of those counts it.
 */
unsigned shape_operands(const struct shape *shape);

/**
 * Whether the model is timed there: a paper, or a paper and what follows its name up to a comma: "envelope, Fig. 5-8".
 */
bool shape_is_timed_by(const struct shape *shape, const char *where);

/**
 * Parse "MxK" (decimal, each 1 … 2^31-1).
 * @return 0 or -EINVAL
 */
int shape_parse(const char *text, size_t *m, size_t *k);

#endif
