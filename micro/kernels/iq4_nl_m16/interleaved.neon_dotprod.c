/* SPDX-License-Identifier: BSD-3-Clause
 *
 * [arm-kernels-codebooks, 6.3] with sixteen rows, four to a register.
 */
#include "micro/kernels/iq4_nl_m16/layout.h"

#define CODE_CHUNK 4
#include "micro/kernels/iq4_nl/codes_aarch64.h"

#include "micro/kernels/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
