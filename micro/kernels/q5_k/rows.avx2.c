/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q5_k.reference.avx2 on four rows side by side, with a prefetch: k_quant_rows_256.h.
 */
#include "micro/kernels/q5_k/layout.h"

#define ROW_BY_ROW 0
#include "micro/kernels/k_quant_rows_256.h"

const struct kernel SELF = K_QUANT_ROWS_KERNEL(2048);

#include "micro/frames/gamma.h"
