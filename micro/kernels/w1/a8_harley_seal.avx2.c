/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 8-bit activations: bit_serial_avx2.h.
 */
#include "micro/kernels/w1/layout.h"

#define ACTIVATION_BITS 8
#include "micro/kernels/bit_serial_avx2.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .gamma = "w1a8.chain.avx2",
    .prefetch_bytes = 16384,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_whole), .multiply = "w1a8.chain.avx2"},
};
