/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scales of the activations within the kernel: no second launch, and every slice computes them.
 */
#define SCALES_ARE_FUSED 1
#include "micro/kernels/int2_vnni16/fused_quantization.h"

const struct kernel SELF = FUSED_QUANTIZATION_KERNEL;
