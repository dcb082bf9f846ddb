/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requantized: micro/kernels/amx_requantized.h. Its 16 rows are those of a panel.
 */
#include "micro/kernels/cb3/layout.h"

#include "micro/kernels/amx_requantized_codebooks.h"

const struct kernel SELF = AMX_REQUANTIZED_KERNEL(4096);
