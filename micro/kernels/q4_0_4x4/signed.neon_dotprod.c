/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four panels side by side [arm-kernels-codebooks, 4.1.2, Fig. 4]: a lane is a row, the
 * activations come by element. 21 uops for a block of four rows, of which 8 sdot.
 */
#define SELF_DIFFERS  "with our prefetch; not measured beside its original, as nothing of aarch64 is"
#define KERNEL_ORIGIN "arm-kernels-codebooks"

#include "micro/kernels/q4_0_4x4/layout.h"

#define CODE_CHUNK  4
#define CODE_TURNED 0
#include "micro/kernels/q4_0/codes_aarch64.h"

#include "micro/kernels/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
