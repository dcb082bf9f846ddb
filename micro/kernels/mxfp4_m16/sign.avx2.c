/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in sign.avx2.S.
 */
#include "micro/kernels/mxfp4_m16/sign.avx2.S"

const struct kernel SELF = BLOCK32_LANES_KERNEL;
