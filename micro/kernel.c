/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/kernel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"
#include "micro/reference.h"

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
    const size_t step = format->k_per_step, past = step - 1;
    /* asked for each weight that is read: a division would take as long as the rest */
    return step & past ? (k + past) / step * step : (k + past) & ~past;
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
    if (k < format->k_least) {
        snprintf(why, size, "K = %zu is less than %u, the least that %s holds", k, format->k_least, format->name);
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
    size_t height = format->rows_per_panel, whole = columns == k ? m / height : 0;
    float *padded = whole * height < m ? malloc(height * columns * sizeof *padded) : NULL;
    if (!padded && whole * height < m)
        return -ENOMEM;
    memset(packed, 0, format_packed_bytes(format, m, k));
    for (size_t panel = 0; panel < format_panels(format, m); panel++) {
        const float *rows = panel < whole ? w + panel * height * columns : padded;
        if (panel >= whole)
            copy_rows(format, w, m, k, panel * height, format->put ? (float)format->weight_min : 0, padded);
        if (format->put)
            put_panel(format, rows, columns, packed + panel * panel_bytes);
        else
            format->pack(rows, columns, packed + panel * panel_bytes);
    }
    free(padded);
    return 0;
}

/** One of a row that is only dequantized as a whole. Apart from what reads one weight, which then saves no register for it. */
static __attribute__((noinline)) double weight_of_row(const struct format *format, const uint8_t *panel, size_t columns,
                                                      uint32_t row, uint32_t column)
{
    double *weights = malloc(columns * sizeof *weights), weight = NAN;
    if (weights) {
        format->row_weights(panel, columns, row, weights);
        weight = weights[column];
    }
    free(weights);
    return weight;
}

/* A thread's own: row() has no argument for it, and plug-ins have row(), too. */
static _Thread_local struct reference_weights_read weights_read;

void reference_weights_are_read(const struct reference_weights_read *read)
{
    weights_read = *read;
}

/** The weights_read.k first weights of a row; NULL: none were read. */
static const double *read_row(const struct format *format, const uint8_t *panel, uint32_t row)
{
    const struct reference_weights_read *read = &weights_read;
    return read->panel == panel && read->format == format && row < read->rows ? read->weights + row * read->k : NULL;
}

double format_weight(const struct format *format, const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    const double *read = read_row(format, panel, row);
    if (read && column < weights_read.k)
        return read[column];
    if (format->get)
        return format->get(panel, row, column);
    if (!format->weight)
        return weight_of_row(format, panel, format_columns(format, k), row, column);
    return format->weight(panel, format_columns(format, k), row, column);
}

struct kernel_row kernel_row_of(const struct format *format, const uint8_t *panel, size_t k, uint32_t row,
                                const void *prepared, double (*value)(const void *prepared, size_t column))
{
    struct kernel_row sum = {0};
    const double *read = read_row(format, panel, row);
    const size_t columns_read = read ? weights_read.k : 0;
    for (uint32_t column = 0; column < k; column++) {
        double weight = column < columns_read ? read[column] : format_weight(format, panel, k, row, column);
        double term = weight * value(prepared, column);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
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
    return kernel->gives == KERNEL_GIVES_INT32 && format_is_uniform(kernel->format) && !kernel->whole_panels &&
           kernel_call_panels(kernel) == 1;
}

size_t kernel_call_panels(const struct kernel *kernel)
{
    return kernel->panels_per_call ? kernel->panels_per_call : 1;
}

size_t kernel_group_rows(const struct kernel *kernel)
{
    return kernel_call_panels(kernel) * kernel->format->rows_per_panel;
}

size_t kernel_groups(const struct kernel *kernel, size_t m)
{
    return (m + kernel_group_rows(kernel) - 1) / kernel_group_rows(kernel);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t k_granule(const struct kernel *kernel)
{
    return larger(larger(kernel->k_multiple, kernel->format->k_multiple), 1);
}

static size_t k_least(const struct kernel *kernel)
{
    size_t granule = k_granule(kernel), least = larger(larger(kernel->k_least, kernel->format->k_least), 1);
    return (least + granule - 1) / granule * granule;
}

static size_t k_most(const struct kernel *kernel)
{
    return kernel->k_most && kernel->k_most < kernel->format->max_k ? kernel->k_most : kernel->format->max_k;
}

size_t kernel_last_k(const struct kernel *kernel, size_t most)
{
    size_t granule = k_granule(kernel), last = (most < k_most(kernel) ? most : k_most(kernel)) / granule * granule;
    return last < k_least(kernel) ? 0 : last;
}

size_t kernel_next_k(const struct kernel *kernel, size_t k)
{
    size_t granule = k_granule(kernel), next = (larger(k, k_least(kernel)) + granule - 1) / granule * granule;
    return next <= k_most(kernel) ? next : kernel_last_k(kernel, SIZE_MAX);
}

int kernel_accepts_k(const struct kernel *kernel, size_t k, char *why, size_t size)
{
    int error = format_accepts(kernel->format, 1, k, why, size);
    if (error)
        return error;
    if (k < kernel->k_least)
        snprintf(why, size, "K = %zu is less than %u, the least that %s multiplies", k, kernel->k_least, kernel->name);
    else if (k > k_most(kernel))
        snprintf(why, size, "K = %zu is more than %u, the most that %s multiplies", k, kernel->k_most, kernel->name);
    else if (kernel->k_multiple && k % kernel->k_multiple)
        snprintf(why, size, "K = %zu is no multiple of %u, the unit of %s", k, kernel->k_multiple, kernel->name);
    else
        return 0;
    return -EINVAL;
}

int kernel_accepts(const struct kernel *kernel, size_t m, size_t k, char *why, size_t size)
{
    size_t rows = kernel_group_rows(kernel);
    int error = format_accepts(kernel->format, m, k, why, size);
    if (!error)
        error = kernel_accepts_k(kernel, k, why, size);
    if (error || kernel_call_panels(kernel) == 1 || m % rows == 0)
        return error;
    snprintf(why, size, "M = %zu is no multiple of %zu, the rows that %s takes at a time", m, rows, kernel->name);
    return -EINVAL;
}

double kernel_operand_bound(const struct kernel_operand *operand)
{
    if (operand->bits < 2 || operand->bits > 16)
        return 0;
    double apart =
        operand->zero_point ? 2 / (ldexp(1, (int)operand->bits) - 1) : 0.5 / (ldexp(1, (int)operand->bits - 1) - 1);
    return apart + 0x1p-11;
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
