/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 2-bit activations: bit_serial_planes_avx512.h.
 */
#define WEIGHT_BITS     1
#define ACTIVATION_BITS 2
#include "micro/kernels/bit_serial_planes_avx512.h"

const struct kernel SELF = {
    PLANES_KERNEL,
    .gamma = "w1a2.popcount.avx512_vpopcntdq",
    .prefetch_bytes = 2048,
};
