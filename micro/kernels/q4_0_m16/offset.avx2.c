/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in offset.avx2.S.
 */
#include "micro/kernels/q4_0_m16/offset.avx2.S"

const struct kernel SELF = BLOCK32_LANES_KERNEL;
