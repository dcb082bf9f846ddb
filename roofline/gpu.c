/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofline/gpu.h"

#include <math.h>
#include <stdbool.h>

const struct roofline_gpu_kernel roofline_gpu_kernels[ROOFLINE_GPU_KERNELS] = {
    [ROOFLINE_GPU_FUSED] = {"int2_bf16.fused", 2, 2, 2, 0},
    [ROOFLINE_GPU_SEPARATE] = {"int2_bf16.separate", 2, 2, 2, 1},
    [ROOFLINE_GPU_INT8] = {"int8", 8, 1, 4, 0},
    [ROOFLINE_GPU_BF16] = {"bf16", 16, 2, 2, 0},
};

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

static bool in_range(const struct roofline_gpu *gpu, const struct roofline_gpu_kernel *kernel,
                     const struct roofline_gpu_product *product)
{
    bool multiplies = kernel->weight_bits <= 8 || product->tokens == 1;
    return multiplies && is_positive(gpu->bytes_per_s) && is_positive(gpu->matrix_ops_per_s) &&
           isfinite(gpu->launch_s) && gpu->launch_s >= 0 && is_positive(product->m) && is_positive(product->k) &&
           is_positive(product->tokens);
}

struct roofline_gpu_time roofline_gpu_time(const struct roofline_gpu *gpu, const struct roofline_gpu_kernel *kernel,
                                           const struct roofline_gpu_product *product)
{
    struct roofline_gpu_time time = {NAN, NAN, NAN, NAN, NAN, NAN};
    if (!in_range(gpu, kernel, product))
        return time;
    double activations = product->tokens * product->k * kernel->activation_bytes;
    double results = product->tokens * product->m * kernel->result_bytes;
    time.weight_bytes = product->m * product->k * kernel->weight_bits / 8;
    time.memory_s = (time.weight_bytes + activations + results) / gpu->bytes_per_s;
    time.matrix_s =
        kernel->weight_bits <= 8 ? 2 * product->m * product->k * product->tokens / gpu->matrix_ops_per_s : 0;
    time.launches_s = (1 + kernel->scale_passes) * gpu->launch_s;
    time.pass_s = kernel->scale_passes * activations / gpu->bytes_per_s;
    time.total_s = fmax(time.memory_s, time.matrix_s) + time.launches_s + time.pass_s;
    return time;
}

const char *roofline_gpu_binds(const struct roofline_gpu_time *time)
{
    if (time->launches_s > fmax(time->memory_s, time->matrix_s))
        return "launch";
    return time->matrix_s > time->memory_s ? "matrix units" : "memory";
}

double roofline_gpu_ridge(const struct roofline_gpu *gpu, const struct roofline_gpu_kernel *kernel, double m, double k)
{
    const struct roofline_gpu_product one = {m, k, 1};
    if (kernel->weight_bits > 8 || !in_range(gpu, kernel, &one))
        return NAN;
    double per_token = k * kernel->activation_bytes + m * kernel->result_bytes;
    double more_s = 2 * m * k / gpu->matrix_ops_per_s - per_token / gpu->bytes_per_s;
    return more_s > 0 ? m * k * kernel->weight_bits / 8 / gpu->bytes_per_s / more_s : INFINITY;
}
