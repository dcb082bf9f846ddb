/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial products of more bits, ACTIVATION_BITS by the kernel's name: bit_serial_any_avx512.h, which is made for no pair of bits.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#define KERNEL_ORIGIN "apt-llm"

#include "micro/families/bit_serial/bit_serial_any_kernel.h"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = KERNEL_ORIGIN,
    .differs = "for CPUs and with our prefetch, where its original is for GPUs",
    .prefetch_bytes = 4096, /* any but 0: the next cut is fetched */
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_r16t8)},
};

#include "micro/frames/gamma.h"
