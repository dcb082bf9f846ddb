/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in lanes.avx512_vnni.S.
 */
#include "micro/kernels/q2_k_m16/lanes.avx512_vnni.S"

const struct kernel SELF = Q2_K_LANES_KERNEL;
