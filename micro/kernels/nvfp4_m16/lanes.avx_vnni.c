/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Twice the values are looked up, 12 more.
 */
#include "micro/kernels/mxfp4/codes_256.h"
#include "micro/kernels/products_avx_vnni.h"

#include "micro/kernels/nvfp4_m16/lanes_256.h"

const struct kernel SELF = NVFP4_KERNEL;

#include "micro/frames/gamma.h"
