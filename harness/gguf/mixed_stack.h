/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

#include "harness/gguf/mixed_quality.h"

/**
 * The comparison of Table 4 [mixed-2-4-16, 6.5] on drawn layers: the same share of 4 bits within every matrix, or in whole matrices.
 * The paper compares perplexities of a model; here it is the error of the layers' outputs, on a stack of layers whose weights are drawn
 * from each synthetic kind in turn and which differ in how much their outputs count.
 */
enum { STACK_LAYERS = 20, STACK_M = 32, STACK_K = 320 };

enum stack_method {
    STACK_WITHIN,       /* a share of the groups of every layer in 4 bits */
    STACK_FIRST_LAYERS, /* the first layers all in 4 bits, the others all in 2: a choice by hand; the paper does not say how its rival is chosen */
    STACK_BEST_LAYERS,  /* the layers that gain most of it: its best choice, made with the errors known */
    STACK_METHODS,
};

/** "within", "first_layers", "best_layers". */
const char *stack_method_name(enum stack_method method);

/** Each layer quantized three ways. */
struct stack_layers {
    struct quality within[STACK_LAYERS], two[STACK_LAYERS], four[STACK_LAYERS];
};

struct stack;

/** Draw and calibrate the layers. NULL: no memory. */
struct stack *stack_open(uint64_t seed);
void stack_close(struct stack *stack);

/** @return 0 or -ENOMEM */
int stack_quantize(const struct stack *stack, const struct mixed_options *options, struct stack_layers *layers);

/**
 * Errors of a stack: the mean of its layers' relative errors, each with the energy of its output for a weight, exp(2 spread z) with z standard
 * normal; bits are those of a weight on average. Pure.
 *
 * @param four_bit  share of layers in 4 bits, rounded up to whole ones
 * @param spread    standard deviation of the natural logarithm of the magnitudes of outputs, >= 0; 0: all layers count alike
 */
struct quality stack_quality(const struct stack_layers *layers, enum stack_method method, double four_bit,
                             double spread);
