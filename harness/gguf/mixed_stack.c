/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See mixed_stack.h.
 */
#include "harness/gguf/mixed_stack.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/gguf/synthetic.h"

enum { SPREAD_SEED = 7, REASON_SIZE = 128 };

struct stack {
    struct matrix matrix[STACK_LAYERS];
    struct inputs inputs[STACK_LAYERS];
};

static const char *const names[STACK_METHODS] = {"within", "first_layers", "best_layers"};

const char *stack_method_name(enum stack_method method)
{
    return names[method];
}

static int draw_layer(size_t layer, uint64_t seed, struct matrix *matrix, struct inputs *inputs)
{
    *matrix = (struct matrix){STACK_M, STACK_K, malloc(STACK_M * STACK_K * sizeof *matrix->w)};
    if (!matrix->w)
        return -ENOMEM;
    synthetic_weights((enum synthetic_kind)(layer % SYNTHETIC_KINDS), STACK_M, STACK_K, seed, matrix->w);
    return inputs_draw(STACK_K, seed + STACK_LAYERS, inputs);
}

struct stack *stack_open(uint64_t seed)
{
    struct stack *stack = calloc(1, sizeof *stack);
    for (size_t l = 0; stack && l < STACK_LAYERS; l++) {
        if (draw_layer(l, seed + l, &stack->matrix[l], &stack->inputs[l])) {
            stack_close(stack);
            stack = NULL;
        }
    }
    return stack;
}

void stack_close(struct stack *stack)
{
    for (size_t l = 0; stack && l < STACK_LAYERS; l++) {
        free(stack->matrix[l].w);
        inputs_free(&stack->inputs[l]);
    }
    free(stack);
}

int stack_quantize(const struct stack *stack, const struct mixed_options *options, struct stack_layers *layers)
{
    struct mixed_options as_two = *options, as_four = *options;
    int error = 0;
    as_two.four_bit = 0;
    as_four.four_bit = 1;
    for (size_t l = 0; l < STACK_LAYERS && !error; l++) {
        const struct matrix *matrix = &stack->matrix[l];
        const struct inputs *inputs = &stack->inputs[l];
        char why[REASON_SIZE];
        error = mixed_quality_of(matrix, inputs, options, &layers->within[l], why, sizeof why);
        if (!error)
            error = mixed_quality_of(matrix, inputs, &as_two, &layers->two[l], why, sizeof why);
        if (!error)
            error = mixed_quality_of(matrix, inputs, &as_four, &layers->four[l], why, sizeof why);
    }
    return error;
}

/** Which layers are in 4 bits. */
static void choose(const struct stack_layers *layers, const double *energy, bool best, size_t count, bool *four)
{
    for (size_t l = 0; l < STACK_LAYERS; l++)
        four[l] = !best && l < count;
    for (size_t i = 0; best && i < count; i++) {
        size_t most = STACK_LAYERS;
        double gain = -HUGE_VAL;
        for (size_t l = 0; l < STACK_LAYERS; l++) {
            const double of_layer = energy[l] * (layers->two[l].output_error - layers->four[l].output_error);
            if (!four[l] && of_layer > gain) {
                gain = of_layer;
                most = l;
            }
        }
        four[most] = true;
    }
}

struct quality stack_quality(const struct stack_layers *layers, enum stack_method method, double four_bit,
                             double spread)
{
    double magnitude[STACK_LAYERS], energy[STACK_LAYERS], all = 0;
    bool four[STACK_LAYERS];
    struct quality sum = {0};
    synthetic_magnitudes(STACK_LAYERS, spread, SPREAD_SEED, magnitude);
    for (size_t l = 0; l < STACK_LAYERS; l++) {
        energy[l] = magnitude[l] * magnitude[l];
        all += energy[l];
    }
    choose(layers, energy, method == STACK_BEST_LAYERS, mixed_count(four_bit, STACK_LAYERS), four);
    for (size_t l = 0; l < STACK_LAYERS; l++) {
        const struct quality *whole = four[l] ? &layers->four[l] : &layers->two[l];
        const struct quality *of = method == STACK_WITHIN ? &layers->within[l] : whole;
        sum.bits += of->bits / STACK_LAYERS;
        sum.weighted_error += energy[l] / all * of->weighted_error;
        sum.output_error += energy[l] / all * of->output_error;
    }
    sum.db_per_bit = -10 * log10(sum.weighted_error) / sum.bits;
    return sum;
}
