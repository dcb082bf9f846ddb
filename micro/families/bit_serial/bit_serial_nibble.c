/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit or 2-bit weights, 2-bit activations: bit_serial_nibble_avx2.h.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#include "micro/families/bit_serial/bit_serial_nibble_avx2.h"

const struct kernel SELF = {
    BITS_KERNEL, .origin = "kneepoint", .prefetch_bytes = 8192, .gemv = gemv, .gemm = {BITS_GEMM(bits_run_r8t8)},
};

#include "micro/frames/gamma.h"
