/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 8-bit activations: bit_serial_carry_avx512.h.
 */
#include "micro/kernels/w1/layout.h"

#define ACTIVATION_BITS 8
#include "micro/kernels/bit_serial_carry_avx512.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .gamma = "w1a8.carry_save.avx512_vpopcntdq",
    .prefetch_bytes = 4096,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t4)},
};
