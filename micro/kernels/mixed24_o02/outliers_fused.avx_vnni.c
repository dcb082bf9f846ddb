/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner loop is in outliers_fused.avx_vnni.S.
 */
#include "micro/kernels/mixed24_o02/outliers_fused.avx_vnni.S"

const struct kernel SELF = MIXED24_OUTLIERS_KERNEL;
