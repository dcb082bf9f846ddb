/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in offset.avx512_vnni.S.
 */
#include "micro/kernels/mxfp4_m16/offset.avx512_vnni.S"

const struct kernel SELF = BLOCK32_LANES_KERNEL;
