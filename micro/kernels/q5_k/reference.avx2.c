/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence q5_k.reference.avx2, row after row, nothing prefetched: k_quant_rows_256.h.
 */
#include "micro/kernels/q5_k/layout.h"

#define ROW_BY_ROW   1
#define SELF_DIFFERS "a quarter less time than its original"
#include "micro/kernels/k_quant_rows_256.h"

const struct kernel SELF = K_QUANT_ROWS_KERNEL("llama.cpp", 0, "q5_k.reference.avx2");
