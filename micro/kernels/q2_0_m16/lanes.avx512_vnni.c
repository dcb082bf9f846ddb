/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in lanes.avx512_vnni.S.
 */
#include "micro/kernels/q2_0_m16/lanes.avx512_vnni.S"

const struct kernel SELF = FIELDS_LANES_KERNEL(NULL);
