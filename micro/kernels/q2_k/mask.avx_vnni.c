/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side; vpdpwssd applies the scales of groups and adds: mask_256.h.
 */
#include "micro/kernels/q2_k/mask_256.h"

const struct kernel SELF = Q2_K_MASK_KERNEL;

#include "micro/frames/gamma.h"
