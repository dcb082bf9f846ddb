/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows to a register, with sdot: interleaved_aarch64.h.
 */
#define KERNEL_ORIGIN "arm-kernels-codebooks"

#include "micro/kernels/q2_k_m16/interleaved_aarch64.h"

#include "micro/frames/gamma.h"
