/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: k_quant_rows_256.h.
 */
#include "micro/kernels/q5_k/layout.h"

#define ROW_BY_ROW 0
#include "micro/kernels/k_quant_rows_256.h"

const struct kernel SELF = K_QUANT_ROWS_KERNEL(2048);

#include "micro/frames/gamma.h"
