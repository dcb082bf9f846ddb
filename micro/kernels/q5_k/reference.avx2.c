/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row, nothing prefetched: k_quant_reference.h.
 */
#define SELF_DIFFERS "10% more time than its original from a cache; from memory as long"
#include "micro/kernels/q5_k/layout.h"

#include "micro/kernels/k_quant_reference.h"

const struct kernel SELF = K_QUANT_REFERENCE_KERNEL;

#include "micro/frames/gamma.h"
