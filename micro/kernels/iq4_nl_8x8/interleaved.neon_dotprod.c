/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows interleaved by eight bytes [arm-kernels-codebooks, 6.3], whose words are joined
 * by one addition of neighbours.
 */
#define SELF_DIFFERS  "with our prefetch; not measured beside its original, as nothing of aarch64 is"
#define KERNEL_ORIGIN "arm-kernels-codebooks"

#include "micro/kernels/iq4_nl_8x8/layout.h"

#define CODE_CHUNK 8
#include "micro/kernels/iq4_nl/codes_aarch64.h"

#include "micro/kernels/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
