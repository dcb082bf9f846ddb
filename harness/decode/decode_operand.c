/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode_operand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "micro/quantization/column_order.h"

enum { LINE = 64 };

static struct decode_operand *operand_of(const struct decode_vector *vector, const struct kernel *kernel)
{
    for (size_t i = 0; i < vector->operands; i++) {
        if (vector->operand[i].kernel == kernel)
            return (struct decode_operand *)(uintptr_t)&vector->operand[i];
    }
    return NULL;
}

int decode_vector_add(struct decode_vector *vector, const struct kernel *kernel, size_t k)
{
    size_t columns = format_columns(kernel->format, k);
    if (vector->k && vector->k != k)
        return -EINVAL;
    vector->k = k;
    vector->columns = columns > vector->columns ? columns : vector->columns;
    vector->int8 |= kernel->takes == KERNEL_TAKES_INT8;
    if ((!kernel->prepare && !kernel->format->order_columns) || operand_of(vector, kernel))
        return 0;
    if (vector->operands == DECODE_OPERANDS_MOST)
        return -ENOMEM;
    vector->operand[vector->operands++] = (struct decode_operand){.kernel = kernel, .columns = columns};
    return 0;
}

/** What a kernel takes of it as it comes. */
static uint8_t *source_of(const struct decode_vector *vector, const struct kernel *kernel)
{
    return kernel->takes == KERNEL_TAKES_INT8 ? (uint8_t *)vector->q : (uint8_t *)vector->x;
}

void *decode_vector_taken(const struct decode_vector *vector, const struct kernel *kernel)
{
    const struct decode_operand *operand = operand_of(vector, kernel);
    return operand && operand->order ? operand->ordered : source_of(vector, kernel);
}

uint8_t *decode_vector_prepared(const struct decode_vector *vector, const struct kernel *kernel)
{
    const struct decode_operand *operand = operand_of(vector, kernel);
    return operand ? operand->prepared : NULL;
}

/* ---- stretches ---- */

static size_t steps_of(const struct decode_operand *operand)
{
    return operand->columns / operand->kernel->format->k_per_step;
}

/** The fewest steps whose activations and whose operand are whole lines. */
static size_t granule_of(const struct kernel *kernel)
{
    size_t activations = kernel->format->k_per_step * kernel_activation_bytes(kernel), steps = 1;
    while (steps * activations % LINE || steps * kernel->prepared_bytes_per_step % LINE)
        steps++;
    return steps;
}

static void prepare_steps(const struct decode_vector *vector, const struct decode_operand *operand, size_t first,
                          size_t end, uint8_t *prepared)
{
    const struct kernel *kernel = operand->kernel;
    const uint8_t *source = source_of(vector, kernel);
    size_t column = first * kernel->format->k_per_step, columns = end * kernel->format->k_per_step - column;
    size_t before = column * kernel_activation_bytes(kernel);
    uint8_t *to = prepared ? prepared + first * kernel->prepared_bytes_per_step : NULL;
    if (first >= end)
        return;
    if (operand->order)
        column_order_prepare(kernel, source, columns, operand->order + column / kernel->format->order_columns,
                             operand->ordered + before, to);
    else
        kernel->prepare(source + before, columns, to);
}

/** Whether two stretches make what the whole makes, of activations that differ in magnitude between them. */
static bool splits(const struct decode_vector *vector, const struct decode_operand *operand, size_t granule,
                   bool *error)
{
    size_t bytes = kernel_prepared_bytes(operand->kernel, vector->k), steps = steps_of(operand);
    uint8_t *whole = zeroed_lines(bytes), *parts = zeroed_lines(bytes);
    size_t cut = steps / 2 / granule * granule;
    *error = !whole || !parts;
    if (!*error) {
        prepare_steps(vector, operand, 0, steps, whole);
        prepare_steps(vector, operand, 0, cut, parts);
        prepare_steps(vector, operand, cut, steps, parts);
    }
    bool same = !*error && cut && memcmp(whole, parts, bytes) == 0;
    free(whole);
    free(parts);
    return same;
}

/** Values to try stretches with: those of the second half are small. */
static void draw(struct decode_vector *vector)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < vector->k; i++) {
        state = state * 1664525u + 1013904223u;
        int value = (int)(state >> 24) - 128;
        value = value < -127 ? -127 : value;
        vector->q[i] = (int8_t)(i < vector->k / 2 ? value : value / 32);
        vector->x[i] = (float)vector->q[i] / 127;
    }
}

/** Memory of an operand, and whether it is made in stretches. @return 0 or -ENOMEM */
static int open_operand(struct decode_vector *vector, struct decode_operand *operand)
{
    const struct kernel *kernel = operand->kernel;
    size_t groups = column_order_groups(kernel->format, vector->k);
    if (groups) {
        operand->order = zeroed_lines(groups * sizeof *operand->order);
        operand->ordered = zeroed_lines(operand->columns * kernel_activation_bytes(kernel));
        if (!operand->order || !operand->ordered)
            return -ENOMEM;
        column_order_draw(kernel->format, vector->k, operand->order);
    }
    size_t granule = kernel->prepared_bytes ? 0 : granule_of(kernel);
    if (!kernel->prepare) { /* a copy can be cut anywhere */
        operand->granule = granule;
        return 0;
    }
    operand->prepared = zeroed_lines(kernel_prepared_bytes(kernel, vector->k));
    if (!operand->prepared)
        return -ENOMEM;
    bool error = false;
    operand->granule = granule && splits(vector, operand, granule, &error) ? granule : 0;
    return error ? -ENOMEM : 0;
}

int decode_vector_open(struct decode_vector *vector)
{
    size_t length = vector->columns > vector->k ? vector->columns : vector->k;
    vector->x = zeroed_lines((length + LINE) * sizeof *vector->x);
    vector->q = zeroed_lines(length + LINE);
    if (!vector->x || !vector->q)
        return -ENOMEM;
    draw(vector);
    for (size_t i = 0; i < vector->operands; i++) {
        if (open_operand(vector, &vector->operand[i]))
            return -ENOMEM;
    }
    memset(vector->x, 0, length * sizeof *vector->x);
    memset(vector->q, 0, length);
    return 0;
}

void decode_vector_release(struct decode_vector *vector)
{
    for (size_t i = 0; i < vector->operands; i++) {
        free(vector->operand[i].prepared);
        free(vector->operand[i].ordered);
        free(vector->operand[i].order);
    }
    free(vector->x);
    free(vector->q);
    *vector = (struct decode_vector){0};
}

/* ---- in a pass ---- */

void decode_vector_quantize(struct decode_vector *vector, const struct quantizer *quantizer)
{
    vector->quantized = quantizer->from_f32(vector->x, vector->k, vector->q);
}

void decode_vector_prepare_alone(struct decode_vector *vector)
{
    for (size_t i = 0; i < vector->operands; i++) {
        struct decode_operand *operand = &vector->operand[i];
        if (!operand->granule)
            prepare_steps(vector, operand, 0, steps_of(operand), operand->prepared);
    }
}

bool decode_vector_is_shared(const struct decode_vector *vector)
{
    for (size_t i = 0; i < vector->operands; i++) {
        if (vector->operand[i].granule)
            return true;
    }
    return false;
}

void decode_vector_prepare_share(struct decode_vector *vector, unsigned member, unsigned threads)
{
    for (size_t i = 0; i < vector->operands; i++) {
        struct decode_operand *operand = &vector->operand[i];
        if (!operand->granule)
            continue;
        size_t steps = steps_of(operand), granules = steps / operand->granule;
        size_t first = granules * member / threads * operand->granule;
        size_t end = member + 1 == threads ? steps : granules * (member + 1) / threads * operand->granule;
        prepare_steps(vector, operand, first, end, operand->prepared);
    }
}
