/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/kernel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro/kernels/random.h"

size_t format_panels(const struct format *format, size_t m)
{
    return (m + format->rows_per_panel - 1) / format->rows_per_panel;
}

size_t format_steps(const struct format *format, size_t k)
{
    return (k + format->k_per_step - 1) / format->k_per_step;
}

size_t format_columns(const struct format *format, size_t k)
{
    return format_steps(format, k) * format->k_per_step;
}

bool format_is_uniform(const struct format *format)
{
    return !format->panel_bytes;
}

bool format_is_integer(const struct format *format)
{
    return format->weight_min != 0 || format->weight_max != 0;
}

size_t format_panel_bytes(const struct format *format, size_t k)
{
    return format_is_uniform(format) ? format_steps(format, k) * format->step_bytes
                                     : format->panel_bytes(format_columns(format, k));
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
        snprintf(why, size, "K = %zu is beyond %s, %s up to K = %u", k, format->name,
                 format_is_integer(format) ? "whose 32-bit sums are exact" : "whose results are checked",
                 format->max_k);
        return -EINVAL;
    }
    if (format->k_multiple && k % format->k_multiple) {
        snprintf(why, size, "K = %zu is no multiple of %u, the unit in which %s packs", k, format->k_multiple,
                 format->name);
        return -EINVAL;
    }
    if (m > UINT32_MAX) {
        snprintf(why, size, "M = %zu rows are too many (at most %u)", m, UINT32_MAX);
        return -EINVAL;
    }
    return 0;
}

/** Rows [first, first + rows_per_panel) of w, with padding. */
static void copy_rows(const struct format *format, const float *w, size_t m, size_t k, size_t first, float padding,
                      float *rows)
{
    size_t columns = format_columns(format, k);
    for (size_t row = 0; row < format->rows_per_panel; row++) {
        for (size_t column = 0; column < columns; column++)
            rows[row * columns + column] = first + row < m && column < k ? w[(first + row) * k + column] : padding;
    }
}

static void put_panel(const struct format *format, const float *rows, size_t columns, uint8_t *panel)
{
    for (uint32_t row = 0; row < format->rows_per_panel; row++) {
        for (uint32_t column = 0; column < columns; column++)
            format->put(panel, row, column, (int32_t)lrintf(rows[row * columns + column]));
    }
}

int format_pack(const struct format *format, const float *w, size_t m, size_t k, uint8_t *packed)
{
    size_t panel_bytes = format_panel_bytes(format, k), columns = format_columns(format, k);
    float *rows = malloc(format->rows_per_panel * columns * sizeof *rows);
    if (!rows)
        return -ENOMEM;
    memset(packed, 0, format_packed_bytes(format, m, k));
    for (size_t panel = 0; panel < format_panels(format, m); panel++) {
        float padding = format->put ? (float)format->weight_min : 0;
        copy_rows(format, w, m, k, panel * format->rows_per_panel, padding, rows);
        if (format->put)
            put_panel(format, rows, columns, packed + panel * panel_bytes);
        else
            format->pack(rows, columns, packed + panel * panel_bytes);
    }
    free(rows);
    return 0;
}

double format_weight(const struct format *format, const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    return format->get ? format->get(panel, row, column)
                       : format->weight(panel, format_columns(format, k), row, column);
}

void format_fill(const struct format *format, uint8_t *packed, size_t count, size_t k, uint64_t *random)
{
    bool uniform = format_is_uniform(format);
    size_t unit = uniform ? format->step_bytes : format_panel_bytes(format, k);
    size_t columns = uniform ? format->k_per_step : format_columns(format, k);
    if (!format->fill) {
        random_bytes(packed, count * unit, random);
        return;
    }
    for (size_t i = 0; i < count; i++)
        format->fill(packed + i * unit, columns, random);
}

bool kernel_cuts(const struct kernel *kernel)
{
    return kernel->gives == KERNEL_GIVES_INT32 && format_is_uniform(kernel->format) && !kernel->whole_panels;
}

size_t kernel_activation_bytes(const struct kernel *kernel)
{
    return kernel->takes == KERNEL_TAKES_INT8 ? sizeof(int8_t) : sizeof(float);
}

size_t kernel_prepared_bytes(const struct kernel *kernel, size_t k)
{
    if (!kernel->prepare)
        return 0;
    return kernel->prepared_bytes ? kernel->prepared_bytes(format_columns(kernel->format, k))
                                  : format_steps(kernel->format, k) * kernel->prepared_bytes_per_step;
}

size_t kernel_gemm_prepared_bytes(const struct kernel *kernel, size_t k, size_t tokens)
{
    const struct kernel_gemm *gemm = &kernel->gemm;
    if (!gemm->prepare_many)
        return 0;
    size_t groups = (tokens + gemm->tokens_per_group - 1) / gemm->tokens_per_group;
    return groups * gemm->prepared_bytes(format_columns(kernel->format, k));
}

size_t kernel_gemm_scratch_bytes(const struct kernel *kernel, size_t k, size_t tokens)
{
    return kernel->gemm.scratch_bytes ? kernel->gemm.scratch_bytes(format_columns(kernel->format, k), tokens) : 0;
}
