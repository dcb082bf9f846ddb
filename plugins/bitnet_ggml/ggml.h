/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLUGINS_BITNET_GGML_H
#define PLUGINS_BITNET_GGML_H

/**
 * What the sources of bitnet.cpp's products name of ggml, for a checkout without its submodule. Only its quantizer and
 * what reads its tensors use any of it, which the adapters do not.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define GGML_API extern

enum ggml_type { GGML_TYPE_Q4_0 = 2, GGML_TYPE_I2_S = 36, GGML_TYPE_TL1 = 38, GGML_TYPE_TL2 = 39 };
enum ggml_backend_type { GGML_BACKEND_TYPE_CPU = 0 };
struct ggml_tensor {
    enum ggml_type type;
    enum ggml_backend_type backend;
    int64_t ne[4];
    void *data, *extra;
};

static inline size_t ggml_row_size(enum ggml_type type, int64_t columns)
{
    (void)type;
    return (size_t)columns / 4;
}

#endif
