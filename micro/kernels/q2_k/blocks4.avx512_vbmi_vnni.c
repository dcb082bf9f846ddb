/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vpermb spreads the scales of groups: blocks4_512.h.
 */
#include "micro/kernels/q2_k/blocks4_512.h"

const struct kernel SELF = Q2_K_BLOCKS4_KERNEL(SELF_NAME);
