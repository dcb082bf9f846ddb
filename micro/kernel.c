/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

size_t format_panels(const struct format *format, size_t m)
{
    return (m + format->rows_per_panel - 1) / format->rows_per_panel;
}

size_t format_steps(const struct format *format, size_t k)
{
    return (k + format->k_per_step - 1) / format->k_per_step;
}

size_t format_panel_bytes(const struct format *format, size_t k)
{
    return format_steps(format, k) * format->step_bytes;
}

size_t format_packed_bytes(const struct format *format, size_t m, size_t k)
{
    return format_panels(format, m) * format_panel_bytes(format, k);
}

double format_bits_per_weight(const struct format *format, size_t m, size_t k)
{
    return 8 * (double)format_packed_bytes(format, m, k) / ((double)m * (double)k);
}

int format_accepts(const struct format *format, size_t m, size_t k, char *why, size_t size)
{
    if (size)
        why[0] = 0;
    if (m == 0 || k == 0) {
        snprintf(why, size, "%s holds no empty matrix; give M and K of at least 1", format->name);
        return -EINVAL;
    }
    if (k > format->max_k) {
        snprintf(why, size, "K = %zu is beyond %s, whose 32-bit sums are exact up to K = %u", k, format->name,
                 format->max_k);
        return -EINVAL;
    }
    if (m > UINT32_MAX) {
        snprintf(why, size, "M = %zu rows are too many (at most %u)", m, UINT32_MAX);
        return -EINVAL;
    }
    return 0;
}

void format_pack(const struct format *format, const int8_t *w, size_t m, size_t k, uint8_t *packed)
{
    size_t panel_bytes = format_panel_bytes(format, k);
    size_t rows = format->rows_per_panel, columns = format_steps(format, k) * format->k_per_step;
    memset(packed, 0, format_packed_bytes(format, m, k));
    for (size_t panel = 0; panel < format_panels(format, m); panel++) {
        for (size_t row = 0; row < rows; row++) {
            for (size_t column = 0; column < columns; column++) {
                size_t r = panel * rows + row;
                int32_t value = r < m && column < k ? w[r * k + column] : format->weight_min;
                format->put(packed + panel * panel_bytes, (uint32_t)row, (uint32_t)column, value);
            }
        }
    }
}

void format_reference(const struct format *format, const uint8_t *packed, size_t k, size_t first, size_t count,
                      const int8_t *activations, int32_t *y)
{
    size_t panel_bytes = format_panel_bytes(format, k), rows = format->rows_per_panel;
    for (size_t i = 0; i < count; i++) {
        size_t row = first + i;
        const uint8_t *panel = packed + row / rows * panel_bytes;
        int64_t sum = 0;
        for (size_t column = 0; column < k; column++)
            sum += format->get(panel, (uint32_t)(row % rows), (uint32_t)column) * activations[column];
        y[i] = (int32_t)sum;
    }
}
