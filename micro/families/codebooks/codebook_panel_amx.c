/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM of group-wise codebooks on tiles, requantized: micro/families/amx/amx_requantized.h. Its 16 rows are those of a panel.
 */
#include "micro/families/codebooks/amx_requantized_codebooks.h"

const struct kernel SELF = AMX_REQUANTIZED_KERNEL(4096);
