/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of mixed24: codes are unpacked once for all tokens. The outliers of a panel, where there are any, follow its dense products, for all tokens. A row may
 * have all of its panel's, 0.032 K of mixed24_o02 and 0.08 K of mixed24_o05, which are added one by one.
 */
#include "micro/of_self.h"
#include OF_ISA_H(micro/families/mixed24/gemm_mixed24)

const struct kernel SELF = GEMM_MIXED24_KERNEL(FLOAT_SUMS);
