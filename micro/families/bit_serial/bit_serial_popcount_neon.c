/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial products of few bits by cnt, ACTIVATION_BITS by the kernel's name: bit_serial_neon.h.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#include "micro/families/bit_serial/bit_serial_neon.h"

#define KERNEL_ORIGIN "apt-llm"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = KERNEL_ORIGIN,
    .differs = "for CPUs and with our prefetch, where its original is for GPUs",
    .prefetch_bytes = 1024, /* of the GEMM; predicted: no core of aarch64 has been timed */
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r8t4)},
};

#include "micro/frames/gamma.h"
