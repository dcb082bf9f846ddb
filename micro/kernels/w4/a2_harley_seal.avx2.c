/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit weights, 2-bit activations: bit_serial_avx2.h.
 */
#include "micro/kernels/w4/layout.h"

#define ACTIVATION_BITS 2
#include "micro/kernels/bit_serial_avx2.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .gamma = "w4a2.chain.avx2",
    .prefetch_bytes = 16384,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_whole), .multiply = "w4a2.chain.avx2"},
};
