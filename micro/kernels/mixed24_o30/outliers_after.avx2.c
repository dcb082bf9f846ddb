/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in outliers_after.avx2.S.
 */
#include "micro/kernels/mixed24_o30/outliers_after.avx2.S"

const struct kernel SELF = MIXED24_OUTLIERS_KERNEL;
