/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/weights/tensor_rows.h"

#include <errno.h>
#include <string.h>

const struct format *tensor_format(const struct gguf_tensor *tensor)
{
    char why[192];
    const struct format *format = tensor->type && tensor->type->format ? format_find(tensor->type->format) : NULL;
    if (!format || tensor->size[0] > INT32_MAX)
        return NULL;
    return format_accepts(format, 1, tensor->size[0], why, sizeof why) == 0 ? format : NULL;
}

uint64_t tensor_row_count(const struct gguf_tensor *tensor)
{
    return tensor->size[1] * tensor->size[2] * tensor->size[3];
}

/** Bytes of a row in the file. */
static size_t row_bytes(const struct gguf_tensor *tensor)
{
    return (size_t)(tensor->size[0] / tensor->type->block_columns * tensor->type->block_bytes);
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

static int check(const struct model_tensor *tensor, uint64_t first, uint64_t rows)
{
    uint64_t count = tensor_row_count(tensor->tensor);
    if (!tensor_format(tensor->tensor))
        return -ENOTSUP;
    return first <= count && rows <= count - first ? 0 : -ERANGE;
}

int tensor_row_values(const struct model_tensor *tensor, uint64_t row, double *values)
{
    int error = check(tensor, row, 1);
    if (error)
        return error;
    const struct format *format = tensor_format(tensor->tensor);
    size_t k = (size_t)tensor->tensor->size[0];
    double scale = tensor_scale(tensor);
    const uint8_t *panel = tensor->data + row * row_bytes(tensor->tensor);
    for (uint32_t column = 0; column < k; column++)
        values[column] = scale * format_weight(format, panel, k, 0, column);
    return 0;
}

size_t tensor_packed_bytes(const struct gguf_tensor *tensor, uint64_t rows)
{
    return format_packed_bytes(tensor_format(tensor), (size_t)rows, (size_t)tensor->size[0]);
}

int tensor_pack(const struct model_tensor *tensor, uint64_t first, uint64_t rows, uint8_t *packed)
{
    int error = check(tensor, first, rows);
    if (error)
        return error;
    size_t bytes = row_bytes(tensor->tensor);
    size_t panel = format_panel_bytes(tensor_format(tensor->tensor), (size_t)tensor->tensor->size[0]);
    const uint8_t *row = tensor->data + first * bytes;
    if (panel == bytes) {
        memcpy(packed, row, (size_t)rows * bytes);
        return 0;
    }
    for (uint64_t i = 0; i < rows; i++, row += bytes, packed += panel) {
        memcpy(packed, row, bytes);
        memset(packed + bytes, 0, panel - bytes);
    }
    return 0;
}
