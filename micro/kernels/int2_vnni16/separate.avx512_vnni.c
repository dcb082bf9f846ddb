/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scales of the activations by a pass of its own before, once for all slices: it is part of what prepares the operand.
 */
#define SCALES_ARE_FUSED 0
#include "micro/kernels/int2_vnni16/fused_quantization.h"

const struct kernel SELF = FUSED_QUANTIZATION_KERNEL;
