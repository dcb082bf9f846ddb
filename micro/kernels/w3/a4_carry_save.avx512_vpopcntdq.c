/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 4-bit activations: bit_serial_carry_avx512.h.
 */
#include "micro/kernels/w3/layout.h"

#define ACTIVATION_BITS 4
#include "micro/kernels/bit_serial_carry_avx512.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .gamma = "w3a4.carry_save.avx512_vpopcntdq",
    .prefetch_bytes = 4096,
    .gemm = {BITS_GEMM(bits_run_r16t4)},
};
