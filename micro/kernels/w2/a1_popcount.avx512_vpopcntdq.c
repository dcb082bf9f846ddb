/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 1-bit activations: bit_serial_avx512.h.
 */
#include "micro/kernels/w2/layout.h"

#define ACTIVATION_BITS 1
#define KERNEL_VARIANTS
#include "micro/kernels/bit_serial_avx512.h"
#include "micro/kernels/bit_serial_variants.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "apt-llm",
    .differs = "for CPUs, where its original is for GPUs",
    .gamma = "w2a1.popcount.avx512_vpopcntdq",
    .prefetch_bytes = 4096,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t8)},
};
