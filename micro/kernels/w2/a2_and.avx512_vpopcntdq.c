/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 2-bit activations, as products of unsigned integers: bit_serial_avx512.h with ands for a2_popcount's exclusive ors, and
 * the sums of both sides for the rest (bit_serial_operand.h). What it costs in excess: set bits of the weights are counted, in a GEMM
 * once for all tokens, in a GEMV 2 times a step beside 4 pairs.
 */
#include "micro/kernels/w2/layout.h"

#define ACTIVATION_BITS 2
#define BITS_ANDS       1
#include "micro/kernels/bit_serial_avx512.h"

BITS_VARIANT(2, 8, r16t8, UINT32_MAX)

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .gamma = "w2a2.and.avx512_vpopcntdq",
    .prefetch_bytes = 4096,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t8)},
};
