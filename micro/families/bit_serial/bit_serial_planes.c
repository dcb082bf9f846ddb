/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial products of the paper's planes, row by row, WEIGHT_BITS and ACTIVATION_BITS by format and name: bit_serial_planes_avx512.h.
 */
#include "micro/families/bit_serial/bit_serial_planes_avx512.h"

const struct kernel SELF = {
    PLANES_KERNEL,
    .prefetch_bytes = 2048,
};

#include "micro/frames/gamma.h"
