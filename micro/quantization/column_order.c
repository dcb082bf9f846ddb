/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/quantization/column_order.h"

#include <string.h>

#include "micro/isa/random.h"

size_t column_order_groups(const struct format *format, size_t k)
{
    return format->order_columns ? format_columns(format, k) / format->order_columns : 0;
}

void column_order_draw(const struct format *format, size_t k, uint16_t *order)
{
    size_t groups = column_order_groups(format, k), whole = groups ? k / format->order_columns : 0;
    uint64_t random = k;
    for (size_t i = 0; i < groups; i++) { /* each takes the place of one before it, or its own */
        size_t place = i < whole ? random_bits(&random) % (i + 1) : i;
        order[i] = (uint16_t)i;
        order[i] = order[place];
        order[place] = (uint16_t)i;
    }
}

void column_order_copy(const struct kernel *kernel, const void *activations, size_t k, const uint16_t *order,
                       void *ordered)
{
    size_t columns = kernel->format->order_columns, bytes = columns * kernel_activation_bytes(kernel);
    for (size_t i = 0; i < k / columns; i++)
        memcpy((uint8_t *)ordered + i * bytes, (const uint8_t *)activations + order[i] * bytes, bytes);
}

void column_order_prepare(const struct kernel *kernel, const void *activations, size_t k, const uint16_t *order,
                          void *ordered, void *prepared)
{
    if (kernel->ordered.prepare) {
        kernel->ordered.prepare(activations, k, order, prepared);
        return;
    }
    column_order_copy(kernel, activations, k, order, ordered);
    if (kernel->prepare)
        kernel->prepare(ordered, k, prepared);
}
