/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLUGINS_BITNET_GGML_H
#define PLUGINS_BITNET_GGML_H

/**
 * What the sources of bitnet.cpp's products name of ggml, for who has a checkout without its submodule. Only the quantizer calls
 * any of it, which the adapter does not.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define GGML_API extern

enum ggml_type { GGML_TYPE_I2_S = 36 };
struct ggml_tensor;

static inline size_t ggml_row_size(enum ggml_type type, int64_t columns)
{
    (void)type;
    return (size_t)columns / 4;
}

#endif
