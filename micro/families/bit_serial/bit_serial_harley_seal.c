/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial products of few bits by carry-save adders and byte shuffles (Harley-Seal), ACTIVATION_BITS by the kernel's name: bit_serial_avx2.h.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#include "micro/families/bit_serial/bit_serial_avx2.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .prefetch_bytes = 16384,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_whole), .multiply = BITS_SEQUENCE(WEIGHT_BITS, ACTIVATION_BITS, "chain")},
};

#include "micro/frames/gamma.h"
