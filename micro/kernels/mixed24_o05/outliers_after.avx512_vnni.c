/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in outliers_after.avx512_vnni.S.
 */
#include "micro/kernels/mixed24_o05/outliers_after.avx512_vnni.S"

const struct kernel SELF = MIXED24_OUTLIERS_KERNEL;
