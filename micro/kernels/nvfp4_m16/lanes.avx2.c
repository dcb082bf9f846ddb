/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Twice the values are looked up, and their signs go to the activations.
 */
#include "micro/kernels/mxfp4/codes_signed_256.h"
#include "micro/kernels/products_avx2.h"

#include "micro/kernels/nvfp4_m16/lanes_256.h"

const struct kernel SELF = NVFP4_KERNEL;

#include "micro/frames/gamma.h"
