/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in lanes.avx2.S.
 */
#include "micro/kernels/pq2_0_m16/lanes.avx2.S"

const struct kernel SELF = FIELDS_LANES_KERNEL("q2_0_m16.lanes.avx2");
