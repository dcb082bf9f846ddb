/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 4-bit activations: bit_serial_neon.h.
 */
#include "micro/kernels/w3/layout.h"

#define ACTIVATION_BITS 4
#include "micro/kernels/bit_serial_neon.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "apt-llm",
    .differs = "for CPUs, where its original is for GPUs",
    .gamma = "w3a4.popcount.neon",
    .prefetch_bytes = 1024, /* of the GEMM; predicted: no core of aarch64 has been timed */
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r8t4)},
};
