/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The outliers of a panel follow its dense products, for all tokens. A row may have all of its panel's, 0.08 K, which are added one by one.
 */
#include "micro/kernels/mixed24_o05/layout.h"

#include "micro/kernels/gemm_mixed24_avx2.h"

const struct kernel SELF = GEMM_MIXED24_KERNEL("mixed24.lanes.avx2", 8);
