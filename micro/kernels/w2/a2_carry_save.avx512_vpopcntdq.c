/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 2-bit activations: bit_serial_carry_avx512.h.
 */
#include "micro/kernels/w2/layout.h"

#define ACTIVATION_BITS 2
#include "micro/kernels/bit_serial_carry_avx512.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .gamma = "w2a2.carry_save.avx512_vpopcntdq",
    .prefetch_bytes = 4096,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t4)},
};
