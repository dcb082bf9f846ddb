/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/step.h"

#include <string.h>

void step_refer(const struct kernel *kernel, const struct sequence_data *data, float *rows, double *magnitude)
{
    const struct format *format = kernel->format;
    for (uint32_t row = 0; row < format->rows_per_panel; row++) {
        struct kernel_row of = kernel->row(data->weights, format->k_per_step, row, data->activations);
        rows[row] += (float)of.y;
        magnitude[row] += of.magnitude;
    }
}

void step_fill(const struct kernel *kernel, uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    /* some at their ends; of one step a prepare() reads no more than these */
    _Alignas(64) float values[STEP_COLUMNS_MOST] = {0};
    const struct format *format = kernel->format;
    uint64_t state = seed;
    for (uint32_t i = 0; i < format->k_per_step; i++) {
        uint64_t random = sequence_random(&state);
        float value = (float)((double)(random >> 11) * 0x1p-52 - 1);
        values[i] = random & 1 ? value : value < 0 ? -1.0f : 1.0f;
    }
    kernel->prepare(values, format->k_per_step, activations);
    format_fill(format, weights, 1, format->k_per_step, &state);
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
    uint64_t steps = at->name ? sequence->variant[0].dots : 1;
    return (uint32_t)((at->more + steps / 2) / steps);
}
