/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/tensor_rows.h"

#include <string.h>

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
