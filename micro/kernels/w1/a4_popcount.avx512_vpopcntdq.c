/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 4-bit activations: bit_serial_avx512.h.
 */
#include "micro/kernels/w1/layout.h"

#define ACTIVATION_BITS 4
#define KERNEL_VARIANTS
#include "micro/kernels/bit_serial_avx512.h"
#include "micro/kernels/bit_serial_variants.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "apt-llm",
    .differs = "for CPUs, where its original is for GPUs",
    .gamma = "w1a4.popcount.avx512_vpopcntdq",
    .prefetch_bytes = 4096,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t8)},
};
