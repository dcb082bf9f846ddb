/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four blocks of a row at a time, four rows side by side: k_quant_blocks4.h.
 */
#include "micro/kernels/q5_k/layout.h"

#include "micro/kernels/k_quant_blocks4.h"

const struct kernel SELF = K_QUANT_BLOCKS4_KERNEL;
