/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit weights, 8-bit activations: bit_serial_avx2.h.
 */
#include "micro/kernels/w4/layout.h"

#define ACTIVATION_BITS 8
#include "micro/kernels/bit_serial_avx2.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .gamma = "w4a8.chain.avx2",
    .prefetch_bytes = 16384,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_whole), .multiply = "w4a8.chain.avx2"},
};
