/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/step.h"

#include <math.h>
#include <string.h>

/** Bytes of a panel of a step. */
static size_t panel_bytes(const struct format *format, size_t columns)
{
    return format_is_uniform(format) ? format_steps(format, columns) * format->step_bytes
                                     : format_panel_bytes(format, columns);
}

/** Of activations as the kernel takes them. */
static double activation(const struct kernel *kernel, const uint8_t *activations, size_t column)
{
    float value;
    if (kernel->takes == KERNEL_TAKES_INT8)
        return (int8_t)activations[column];
    memcpy(&value, activations + column * sizeof value, sizeof value);
    return (double)value;
}

/** What a row is without the correction that a driver passes. */
static struct kernel_row row_of(const struct kernel *kernel, size_t columns, const uint8_t *panel, uint32_t row,
                                const uint8_t *activations)
{
    struct kernel_row sum = {0};
    if (kernel->row)
        return kernel->row(panel, columns, row, activations);
    activations += kernel_prepared_bytes(kernel, columns);
    for (uint32_t column = 0; column < columns; column++) {
        double weight = format_weight(kernel->format, panel, columns, row, column);
        double term = (weight + kernel->format->activation_offset) * activation(kernel, activations, column);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

void step_refer(const struct kernel *kernel, size_t columns, size_t panels, const struct sequence_data *data,
                void *rows, double *magnitude)
{
    float *floats = rows;
    uint32_t *integers = rows, each = kernel->format->rows_per_panel;
    for (uint32_t row = 0; row < panels * each; row++) {
        const uint8_t *panel = data->weights + row / each * panel_bytes(kernel->format, columns);
        struct kernel_row of = row_of(kernel, columns, panel, row % each, data->activations);
        if (!magnitude) {
            integers[row] += (uint32_t)(int64_t)of.y;
            continue;
        }
        floats[row] += (float)of.y;
        magnitude[row] += of.magnitude;
    }
}

void step_fill(const struct kernel *kernel, size_t columns, size_t panels, float largest, uint8_t *weights,
               uint8_t *activations, uint64_t seed)
{
    /* some at their ends; of one step a prepare() reads no more than these */
    _Alignas(64) float values[STEP_COLUMNS_MOST] = {0};
    _Alignas(64) int8_t bytes[STEP_COLUMNS_MOST] = {0};
    const void *taken = kernel->takes == KERNEL_TAKES_INT8 ? (const void *)bytes : values;
    uint64_t state = seed;
    for (size_t i = 0; i < columns; i++) {
        uint64_t random = sequence_random(&state);
        float value = (float)((double)(random >> 11) * 0x1p-52 - 1);
        values[i] = largest * (random & 1 ? value : value < 0 ? -1.0f : 1.0f);
        bytes[i] = (int8_t)values[i];
    }
    if (kernel->prepare)
        kernel->prepare(taken, columns, activations);
    if (!kernel->row)
        memcpy(activations + kernel_prepared_bytes(kernel, columns), taken, columns * kernel_activation_bytes(kernel));
    const struct format *format = kernel->format;
    format_fill(format, weights, panels * (format_is_uniform(format) ? format_steps(format, columns) : 1), columns,
                &state);
}

bool sequence_is_step(const struct sequence *sequence)
{
    return !sequence->group_uops;
}

uint32_t sequence_uops(const struct sequence *sequence)
{
    const struct step_uops *at = step_uops;
    if (!sequence_is_step(sequence))
        return sequence->group_uops;
    while (at->name && strcmp(at->name, sequence->name) != 0)
        at++;
    uint64_t steps = at->name ? sequence->variant[sequence->variants - 1].dots : 1;
    return (uint32_t)((at->more + steps / 2) / steps);
}
