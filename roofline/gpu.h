/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/**
 * The roof model of a GPU whose matrix units multiply 2-bit weights with 8-bit activations as they are [envelope, III-E and
 * IV-C]. Nothing is up-converted, so there is no gamma: what is left of Eq. (1) is reading and multiplying, which overlap, and
 * the launch of each kernel, which does not,
 *
 *     T = max(bytes / bandwidth, 2 M N K / peak) + launches * launch + pass
 *
 * with bytes those of weights, activations and results, each moved once. Scales of the activations are computed within the
 * kernel, or by a kernel of its own before it: that is one more launch, and a pass over the activations. What computing
 * them in every work-group again costs is not modelled, nor caches that keep activations from one kernel to the next, nor
 * tiles that a matrix does not fill.
 *
 * Pure functions; NaN for an argument out of range.
 */
struct roofline_gpu {
    double bytes_per_s;      /* of its memory, > 0 */
    double matrix_ops_per_s; /* operations a second of 8-bit matrix units, a multiply and an add are two; > 0 */
    double launch_s;         /* of one kernel, >= 0 */
};

/** A way to multiply: of what width weights, activations and results are moved, and how many kernels it is. */
struct roofline_gpu_kernel {
    const char *name;
    double weight_bits;
    double activation_bytes, result_bytes; /* of one value */
    unsigned scale_passes;                 /* kernels before it that read the activations: 0 or 1 */
};

enum { ROOFLINE_GPU_FUSED, ROOFLINE_GPU_SEPARATE, ROOFLINE_GPU_INT8, ROOFLINE_GPU_BF16, ROOFLINE_GPU_KERNELS };

/**
 * Those of the paper's figures: 2-bit weights times BF16 into BF16, with the scales fused or by a kernel of their own;
 * 8-bit weights and activations, whose sums are stored, that is the baseline; and BF16, of which only reading is modelled,
 * since no source states what the units do in BF16: no more tokens than 1.
 */
extern const struct roofline_gpu_kernel roofline_gpu_kernels[ROOFLINE_GPU_KERNELS];

/** M x K weights times N activation vectors, "tokens". */
struct roofline_gpu_product {
    double m, k, tokens;
};

/** The terms of T, in seconds. */
struct roofline_gpu_time {
    double memory_s, matrix_s, launches_s, pass_s;
    double total_s;
    double weight_bytes;
};

struct roofline_gpu_time roofline_gpu_time(const struct roofline_gpu *gpu, const struct roofline_gpu_kernel *kernel,
                                           const struct roofline_gpu_product *product);

/** What the larger term of a time is: "memory", "matrix units", or "launch" where launches take longer than both. */
const char *roofline_gpu_binds(const struct roofline_gpu_time *time);

/** Tokens from which multiplying takes longer than reading, infinite if it never does. */
double roofline_gpu_ridge(const struct roofline_gpu *gpu, const struct roofline_gpu_kernel *kernel, double m, double k);
