/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence q4_k.reference.avx2, row after row, nothing prefetched: k_quant_rows_256.h.
 */
#include "micro/kernels/q4_k/layout.h"

#define ROW_BY_ROW   1
#define SELF_DIFFERS "11% less time than its original"
#include "micro/kernels/k_quant_rows_256.h"

const struct kernel SELF = K_QUANT_ROWS_KERNEL("llama.cpp", 0, "q4_k.reference.avx2");
