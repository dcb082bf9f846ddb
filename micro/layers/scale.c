/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/of_self.h"
#include OF_ISA_H(micro/layers/vector)

#include "micro/layers/layer.h"

/** Output scales: alone, or with the residual that they are added to. Rows are any number, so the last ones are scalar. */
static void from_i32(const int32_t *x, float scale, size_t n, float *y)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        vec_store(y + i, vec_mul(vec_from_i32(x + i), vec_set(scale)));
    for (; i < n; i++)
        y[i] = scale * (float)x[i];
}

static void from_f32(const float *x, float scale, size_t n, float *y)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        vec_store(y + i, vec_mul(vec_load(x + i), vec_set(scale)));
    for (; i < n; i++)
        y[i] = scale * x[i];
}

static void add_i32(const int32_t *x, float scale, size_t n, float *y)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        vec_store(y + i, vec_fma(vec_from_i32(x + i), vec_set(scale), vec_load(y + i)));
    for (; i < n; i++)
        y[i] += scale * (float)x[i];
}

static void add_f32(const float *x, float scale, size_t n, float *y)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        vec_store(y + i, vec_fma(vec_load(x + i), vec_set(scale), vec_load(y + i)));
    for (; i < n; i++)
        y[i] += scale * x[i];
}

const struct layer_kernel SELF = {
    .name = SELF_NAME,
    .isa = SELF_ISA,
    .part = LAYER_SCALE,
    .scale = {.from_i32 = from_i32, .from_f32 = from_f32, .add_i32 = add_i32, .add_f32 = add_f32}};
