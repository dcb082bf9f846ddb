/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/tensor_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "results/text/refuse.h"

const struct format *tensor_format(const struct gguf_tensor *tensor)
{
    char why[192];
    const struct format *format = tensor->type && tensor->type->format ? format_find(tensor->type->format) : NULL;
    if (!format || tensor->size[0] > INT32_MAX)
        return NULL;
    return format_accepts(format, 1, tensor->size[0], why, sizeof why) == 0 ? format : NULL;
}

double tensor_scale(const struct model_tensor *tensor)
{
    const struct gguf_tensor *table = tensor->tensor;
    float scale;
    if (!table->type || table->type->tail_bytes == 0)
        return 1;
    memcpy(&scale, tensor->data + table->bytes - table->type->tail_bytes, sizeof scale);
    return (double)scale;
}

int tensor_is_matrix(const struct gguf_tensor *tensor, char *why, size_t size)
{
    if (tensor->dimensions != 2)
        return refuse(-EINVAL, why, size, "has %u dimension%s, and a matrix has two", tensor->dimensions,
                      tensor->dimensions == 1 ? "" : "s");
    if (tensor->size[1] < TENSOR_RUN)
        return refuse(-EINVAL, why, size, "has %llu rows, and %d are the least", (unsigned long long)tensor->size[1],
                      TENSOR_RUN);
    if (!tensor->type)
        return refuse(-EINVAL, why, size, "is of type %u, which is not known", tensor->type_id);
    if (!tensor_format(tensor))
        return refuse(-EINVAL, why, size, "is of type %s, whose weights cannot be read here", tensor->type->name);
    return 0;
}

/** The row of the tensor that is this one of what is sampled. */
static size_t sampled_row(size_t row, size_t taken, size_t rows)
{
    const size_t runs = taken / TENSOR_RUN, run = row / TENSOR_RUN;
    return runs < 2 ? row : run * (rows - TENSOR_RUN) / (runs - 1) + row % TENSOR_RUN;
}

int tensor_sample(const struct model_tensor *tensor, size_t rows_most, struct matrix *matrix)
{
    const struct format *format = tensor_format(tensor->tensor);
    const size_t k = (size_t)tensor->tensor->size[0], rows = (size_t)tensor->tensor->size[1],
                 stride = format_panel_bytes(format, k);
    const double scale = tensor_scale(tensor);
    const size_t runs = rows_most > TENSOR_RUN ? rows_most / TENSOR_RUN : 1;
    *matrix = (struct matrix){.m = rows <= rows_most ? rows : runs * TENSOR_RUN, .k = k};
    matrix->w = malloc(matrix->m * k * sizeof *matrix->w);
    if (!matrix->w)
        return -ENOMEM;
    for (size_t row = 0; row < matrix->m; row++) {
        const uint8_t *at = tensor->data + (matrix->m == rows ? row : sampled_row(row, matrix->m, rows)) * stride;
        for (size_t c = 0; c < k; c++)
            matrix->w[row * k + c] = (float)(scale * format_weight(format, at, k, 0, (uint32_t)c));
    }
    return 0;
}
