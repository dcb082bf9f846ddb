/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 4-bit activations: bit_serial_planes_avx512.h.
 */
#define WEIGHT_BITS     3
#define ACTIVATION_BITS 4
#include "micro/kernels/bit_serial_planes_avx512.h"

const struct kernel SELF = {
    PLANES_KERNEL,
    .gamma = "w3a4.popcount.avx512_vpopcntdq",
    .prefetch_bytes = 2048,
};
