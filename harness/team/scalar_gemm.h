/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <string.h>

#include "micro/kernel.h"

/**
 * For tests only: a GEMM in plain C of offset-binary bytes, panels of 4 rows, steps of 4 columns, which has all that a
 * GEMM may have: tokens prepared in groups of 3, scratch, corrections. And the same of floats, with neither.
 *
 *     a step: byte r * 4 + c is row r, column c; a group: [column][3 tokens] int8
 */
enum { SCALAR_ROWS = 4, SCALAR_STEP = 4, SCALAR_GROUP = 3, SCALAR_OFFSET = 128 };

static inline void scalar_put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    panel[(column / SCALAR_STEP * SCALAR_ROWS + row) * SCALAR_STEP + column % SCALAR_STEP] =
        (uint8_t)(w + SCALAR_OFFSET);
}

static inline int32_t scalar_get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return panel[(column / SCALAR_STEP * SCALAR_ROWS + row) * SCALAR_STEP + column % SCALAR_STEP] - SCALAR_OFFSET;
}

static const struct format scalar_format = {
    .name = "scalar",
    .bits = 8,
    .rows_per_panel = SCALAR_ROWS,
    .k_per_step = SCALAR_STEP,
    .step_bytes = SCALAR_ROWS * SCALAR_STEP,
    .weight_min = -SCALAR_OFFSET,
    .weight_max = 127,
    .activation_offset = SCALAR_OFFSET,
    .max_k = 1 << 16,
    .put = scalar_put,
    .get = scalar_get,
};

static inline size_t scalar_prepared_bytes(size_t k)
{
    return (k * SCALAR_GROUP + 63) / 64 * 64;
}

static inline size_t scalar_scratch_bytes(size_t k, size_t tokens)
{
    (void)tokens;
    return k;
}

static inline void scalar_prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    for (size_t column = 0; column < k; column++) {
        for (size_t token = 0; token < SCALAR_GROUP; token++)
            ((int8_t *)prepared)[column * SCALAR_GROUP + token] =
                token < tokens ? ((const int8_t *)activations)[token * stride + column] : 0;
    }
}

static inline int32_t scalar_sum(const uint8_t *row, const struct gemm_slice *slice, size_t token)
{
    const int8_t *group = (const int8_t *)slice->prepared + token / SCALAR_GROUP * scalar_prepared_bytes(slice->k);
    int32_t sum = 0;
    for (size_t column = 0; column < slice->k; column++)
        sum += row[column] * group[column * SCALAR_GROUP + token % SCALAR_GROUP];
    return sum;
}

static inline void scalar_run(const struct gemm_slice *slice)
{
    for (size_t row = 0; row < slice->panels * SCALAR_ROWS; row++) {
        const uint8_t *panel = slice->weights + row / SCALAR_ROWS * slice->panel_bytes;
        uint8_t *unpacked = slice->scratch;
        for (uint32_t column = 0; column < slice->k; column++)
            unpacked[column] = (uint8_t)(scalar_get(panel, row % SCALAR_ROWS, column) + SCALAR_OFFSET);
        for (size_t token = 0; token < slice->tokens; token++)
            slice->out[token * slice->out_stride + row] =
                slice->scales[token] * (float)(scalar_sum(unpacked, slice, token) + slice->corrections[token]);
    }
}

static inline void scalar_run_floats(const struct gemm_slice *slice)
{
    for (size_t i = 0; i < slice->panels * SCALAR_ROWS * slice->tokens; i++) {
        size_t row = i / slice->tokens, token = i % slice->tokens;
        const uint8_t *panel = slice->weights + row / SCALAR_ROWS * slice->panel_bytes;
        const float *activations = slice->activations_f32 + token * slice->activations_stride;
        double sum = 0;
        for (uint32_t column = 0; column < slice->k; column++)
            sum += (double)activations[column] * scalar_get(panel, row % SCALAR_ROWS, column);
        slice->out[token * slice->out_stride + row] = (float)sum;
    }
}

static inline struct kernel scalar_kernel(void)
{
    return (struct kernel){
        .name = "scalar.groups.reference",
        .sequence = "groups",
        .isa = "reference",
        .format = &scalar_format,
        .origin = "kneepoint",
        .takes = KERNEL_TAKES_INT8,
        .gives = KERNEL_GIVES_INT32,
        .lossless = true,
        .gemm = {.run = scalar_run,
                 .prepare_many = scalar_prepare_many,
                 .tokens_per_group = SCALAR_GROUP,
                 .prepared_bytes = scalar_prepared_bytes,
                 .unpacks_alone = true,
                 .scratch_bytes = scalar_scratch_bytes},
    };
}

static inline struct kernel scalar_float_kernel(void)
{
    struct kernel kernel = scalar_kernel();
    kernel.name = "scalar.floats.reference";
    kernel.sequence = "floats";
    kernel.takes = KERNEL_TAKES_F32;
    kernel.gives = KERNEL_GIVES_F32;
    kernel.float_sums = KERNEL_FLOAT_SUMS_ALL;
    kernel.lossless = false;
    kernel.gemm = (struct kernel_gemm){.run = scalar_run_floats};
    return kernel;
}
