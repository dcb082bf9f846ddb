/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in lanes.avx512_vbmi_vnni.S.
 */
#include "micro/kernels/mixed24/lanes.avx512_vbmi_vnni.S"

const struct kernel SELF = MIXED24_LANES_KERNEL;
