/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 2-bit activations: bit_serial_nibble_avx2.h.
 */
#include "micro/kernels/w2/layout.h"

#define ACTIVATION_BITS 2
#include "micro/kernels/bit_serial_nibble_avx2.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .gamma = "w2a2.nibble.avx2",
    .prefetch_bytes = 8192,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r8t8)},
};
