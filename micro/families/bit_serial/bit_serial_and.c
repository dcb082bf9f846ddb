/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit or 2-bit weights, 2-bit activations, as products of unsigned integers: bit_serial_avx512.h with ands for a2_popcount's exclusive ors, and
 * the sums of both sides for the rest (bit_serial_operand.h). What it costs in excess: set bits of the weights are counted, in a GEMM
 * once for all tokens, in a GEMV of w1 1 time a step beside 2 pairs, of w2 2 times beside 4 pairs.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#define BITS_ANDS 1
#include "micro/families/bit_serial/bit_serial_avx512.h"

BITS_VARIANT(2, 8, r16t8, UINT32_MAX)

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .prefetch_bytes = 4096,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t8), .multiply = SELF_FORMAT_NAME ".a2_popcount." SELF_ISA},
};

#include "micro/frames/gamma.h"
