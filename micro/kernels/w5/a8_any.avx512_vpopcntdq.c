/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 5-bit weights, 8-bit activations: bit_serial_any_avx512.h, which is made for no pair of bits.
 */
#include "micro/kernels/w5/layout.h"

#define ACTIVATION_BITS 8
#include "micro/kernels/bit_serial_any_kernel.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "apt-llm",
    .differs = "for CPUs, where its original is for GPUs",
    .gamma = "w5a8.popcount.avx512_vpopcntdq",
    .prefetch_bytes = 4096, /* any but 0: the next cut is fetched */
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t8)},
};
