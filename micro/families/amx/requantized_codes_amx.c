/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of K-quants row by row on tiles, requantized: micro/families/amx/amx_requantized_codes.h.
 */
#include "micro/of_self.h"

#include OF_FORMAT(requantize.h)

const struct kernel SELF = AMX_REQUANTIZED_CODES;
