/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial products of few bits by carry-save adders and vpopcntq, ACTIVATION_BITS by the kernel's name: bit_serial_carry_avx512.h. That of 3-bit
 * weights (GEMV=NULL) is a GEMM only.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#include "micro/families/bit_serial/bit_serial_carry_avx512.h"

#ifndef GEMV
#define GEMV gemv
#endif

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .prefetch_bytes = 4096,
    .gemv = GEMV,
    .gemm = {BITS_GEMM(bits_run_r16t4), .multiply = BITS_SEQUENCE(WEIGHT_BITS, ACTIVATION_BITS, "carry_save")},
};

#include "micro/frames/gamma.h"
