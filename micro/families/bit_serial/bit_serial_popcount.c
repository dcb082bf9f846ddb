/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial products of few bits by vpopcntq, ACTIVATION_BITS by the kernel's name: bit_serial_avx512.h.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#define KERNEL_ORIGIN "apt-llm"
#define KERNEL_VARIANTS
#include "micro/families/bit_serial/bit_serial_avx512.h"
#include "micro/families/bit_serial/bit_serial_variants.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = KERNEL_ORIGIN,
    .differs = "for CPUs and with our prefetch, where its original is for GPUs",
    .prefetch_bytes = 4096,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t8)},
};

#include "micro/frames/gamma.h"
