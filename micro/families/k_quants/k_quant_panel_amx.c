/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of Q4_K and Q5_K row by row on tiles, requantized: micro/families/amx/amx_requantized_codes.h.
 */
#include "micro/families/k_quants/k_quant_requantize.h"

const struct kernel SELF = AMX_REQUANTIZED_CODES;
