/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in lanes.avx2.S.
 */
#include "micro/kernels/mixed24/lanes.avx2.S"

const struct kernel SELF = MIXED24_LANES_KERNEL;
